import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

/** The tests of one run, as `mutate.ts` chose them; without Redis, browsers and processes, which would take hours. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: {
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]') as string[],
    exclude: ['**/node_modules/**', '**/redis-*.test.ts', '**/*.browser.test.ts', '**/*.ci.test.ts'],
    setupFiles: ['packages/test-kit/src/seed-property-tests.ts'],
    testTimeout: 30_000,
  },
})
