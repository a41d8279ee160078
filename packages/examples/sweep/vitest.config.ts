import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { writeGuideTests } from './guide-tests.ts'

const source = '@guild-ledger/source'
/** Tests that start other programs: too slow to run two dozen times. */
const slow = ['announce', 'cloudflare-worker', 'documentation', 'one-key', 'python', 'run-as-script']
const alsoSlow = ['snippets', 'start', '*.browser']

writeGuideTests()

/** The tests of the examples and of the guides, as `pnpm check:sweep` sweeps them. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: {
    include: ['test/*.test.ts', 'out/swept-guides/*.test.ts'],
    // This one starts the export as a program and kills it.
    testNamePattern: /^(?!.*after repeated kills)/,
    exclude: [...slow, ...alsoSlow].map((name) => `**/${name}*.test.ts`),
    pool: 'threads',
    isolate: false,
  },
})
