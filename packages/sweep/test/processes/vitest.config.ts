import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// The planted suites run hundreds of times.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../../node_modules/.cache/node')

/** Tests of the built sweep that run whole test suites again and again: `pnpm check:sweep`. */
export default defineConfig({
  root: import.meta.dirname,
  // Many tests of these suites hang, and the sweep waits. `sweep-process.ts` stops it, and says so.
  test: { include: ['*.test.ts'], maxWorkers: availableParallelism() + 1, testTimeout: 1_900_000 },
})
