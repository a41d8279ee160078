import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// The planted suites run hundreds of times.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../../node_modules/.cache/node')

// Their tests hang and end in unusual ways, which takes minutes: before a release only.
const slow = process.env.CASES ? [] : ['ends.test.ts', 'patterns.test.ts']
if (slow.length > 0) process.stdout.write(`run with CASES=8 only: ${slow.join(', ')}\n`)

/** Tests of the built sweep that run whole test suites again and again: `pnpm check:sweep`. */
export default defineConfig({
  root: import.meta.dirname,
  // Many tests of these suites hang, and the sweep waits.
  test: { include: ['*.test.ts'], exclude: slow, maxWorkers: availableParallelism() + 1, testTimeout: 600_000 },
})
