import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

/** The planted suite by itself: it is swept, and would fail among the tests of this repository. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: { include: ['planted.vitest.ts'] },
})
