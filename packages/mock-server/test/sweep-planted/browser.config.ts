import { playwright } from '@vitest/browser-playwright'
import { mergeConfig } from 'vitest/config'
import { chromiumFlags, findChromium } from '../../../../scripts/chromium.ts'
import config from './vitest.config.ts'

/** The planted suites in a page. */
export default mergeConfig(config, {
  // Dependencies that Vite finds only after the page has loaded make the page reload.
  optimizeDeps: {
    include: [
      '@guild-ledger/mock-server > @faker-js/faker/locale/en',
      '@guild-ledger/mock-server > @noble/hashes/sha2.js',
      '@guild-ledger/mock-server > @noble/hashes/utils.js',
    ],
  },
  test: {
    api: { host: '127.0.0.1' },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: 'chromium' }],
      provider: playwright({ launchOptions: { executablePath: findChromium(), args: chromiumFlags } }),
    },
  },
})
