import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

/** The planted suites by themselves: they are swept, and would fail among the tests of this repository. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: { include: ['*.vitest.ts'] },
})
