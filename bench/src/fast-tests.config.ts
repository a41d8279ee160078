import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

/** Runs the packages from their sources, for `fast-tests.ts`. */
export default defineConfig({
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: { include: ['fast-tests.suite.ts'] },
})
