import { defineConfig } from 'vitest/config'

/** The condition under which the packages run from their sources, so that no test needs a build first. */
const source = '@guild-ledger/source'

export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'module', 'node', 'development|production'], externalConditions: [source] } },
  test: {
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
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
