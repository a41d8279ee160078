import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'

// The planted suites run from their sources, hundreds of times.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../../node_modules/.cache/node')

/** Tests of the sweep that run whole test suites again and again: `pnpm check:sweep`. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  root: import.meta.dirname,
  // Each sweep uses all cores.
  test: { include: ['*.test.ts'], fileParallelism: false, testTimeout: 600_000 },
})
