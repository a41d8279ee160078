import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

export default defineConfig({
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: { include: ['*.vitest.ts'], globalSetup: './start-server.ts' },
})
