import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['*.vitest.ts'], globalSetup: './start-server.ts' } })
