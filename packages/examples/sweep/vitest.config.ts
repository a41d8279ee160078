import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { writeGuideTests } from './guide-tests.ts'

/** Tests that are left out, and why. */
const leftOut = {
  '*.ci.test.ts': 'start programs in processes of their own; snippets that are tests are swept as files of their own',
  'documentation.test.ts': 'reads documents only, sends no request',
  'manager-page.browser.test.ts': 'needs a browser',
  'python-and-curl-snippets.test.ts': 'starts a server and Python for each snippet',
  'start.test.ts': 'starts the program of pnpm start',
}

writeGuideTests()

/** The tests of the examples and of the guides, as `pnpm check:sweep` sweeps them. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/*.test.ts', 'out/swept-guides/*.test.ts'],
    exclude: Object.keys(leftOut).map((name) => `**/${name}`),
    pool: 'threads',
    isolate: false,
    maxWorkers: 1, // a run starts new workers, and most of it is imports
    testTimeout: 30_000, // a busy machine takes longer than 5 s
  },
})
