import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The condition under which the packages run from their sources, so that no test needs a build first. */
const source = '@guild-ledger/source'

/** Tests that need a program which npm does not ship. Without it they are left out, but never in CI. */
const needed: Record<string, string[]> = {
  'redis-server': ['packages/sdk/src/throttle/redis.test.ts', 'packages/examples/test/one-key-many-processes.test.ts'],
}
const onPath = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
const leftOut = Object.entries(needed).flatMap(([program, tests]) => {
  if (process.env.CI || onPath(program)) return []
  process.stderr.write(`left out, because ${program} is not installed: ${tests.join(', ')}\n`)
  return tests
})

export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'module', 'node', 'development|production'], externalConditions: [source] } },
  test: {
    // One more than there are cores: the longest tests wait for a real Redis and for processes, not for a core.
    maxWorkers: availableParallelism() + 1,
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: leftOut,
        },
      },
      {
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['packages/*/src/**/*.test-d.ts', 'packages/*/test/**/*.test-d.ts'],
            tsconfig: './tsconfig.test-d.json',
          },
        },
      },
    ],
  },
})
