import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

/** Tests that hang under other values: they are swept, and would hang among the tests of this repository. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: { include: ['*.vitest.ts'] },
})
