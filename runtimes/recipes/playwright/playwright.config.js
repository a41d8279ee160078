import { defineConfig } from '@playwright/test'

export default defineConfig({
  globalSetup: './start-mock.js',
  fullyParallel: true,
  workers: 2,
  // Without CHROMIUM_PATH, the browser that `npx playwright install` installs.
  use: { launchOptions: { executablePath: process.env.CHROMIUM_PATH } },
})
