import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumFlags, findChromium } from './scripts/chromium.ts'

/** The condition under which the packages run from their sources, so that no test needs a build first. */
const source = '@guild-ledger/source'

// Many tests start programs from their TypeScript sources. With a compile cache they take a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

/** Tests that need a program that is not on npm. Without the program they are skipped, except in CI. */
const requiredPrograms: Record<string, string[]> = {
  'redis-server': ['packages/sdk/test/redis-*.test.ts', 'packages/examples/test/one-key-many-processes.test.ts'],
  sqlite3: ['packages/cli/test/export.test.ts'],
  python3: ['packages/examples/test/python-suite.test.ts', 'packages/cli/test/{export,gateway}*.test.ts'],
}
const onPath = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
const skippedTests = Object.entries(requiredPrograms).flatMap(([program, tests]) => {
  if (process.env.CI || onPath(program)) return []
  process.stderr.write(`skipped, because ${program} is not installed: ${tests.join(', ')}\n`)
  return tests
})

/**
 * Tests that run in a browser. In your own project, `plugins` and `test` are enough, and Playwright finds the browser that
 * `npx playwright install chromium` installs, without `launchOptions`.
 */
const inBrowser = (executablePath: string): TestProjectInlineConfiguration => ({
  // Serves MSW's worker script, so that it need not be generated and committed.
  plugins: [msw({ mode: 'worker-only' })],
  root: 'packages/examples',
  // For packages from npm, Vite finds these by itself. Here our packages are sources: dependencies that Vite finds in them
  // only after the page has loaded make the page reload.
  optimizeDeps: {
    include: [
      'msw/browser',
      '@guild-ledger/sdk > ky',
      '@guild-ledger/sdk > zod/v4/core',
      '@guild-ledger/mock-server > msw/http',
      '@guild-ledger/mock-server > zod/mini',
      '@guild-ledger/mock-server > @faker-js/faker/locale/en',
      '@guild-ledger/mock-server > @noble/hashes/sha2.js',
      '@guild-ledger/mock-server > @noble/hashes/utils.js',
    ],
  },
  test: {
    name: 'browser',
    api: { host: '127.0.0.1' },
    include: ['test/**/*.browser.test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: 'chromium' }],
      provider: playwright({ launchOptions: { executablePath, args: chromiumFlags } }),
    },
  },
})

/**
 * Tests that need a process of their own: they replace modules, measure memory, depend on when garbage is collected, or
 * use most of what a process shares. All other files share a few processes, which saves most of the time for imports.
 */
const ownProcess = [
  'packages/*/test/*.memory.test.ts',
  'packages/cli/test/*.processes.test.ts',
  'packages/probe/test/{command-line,probe,services}.test.ts',
  'packages/sdk/src/single-use.test.ts',
  'packages/sdk/src/throttle/shared.test.ts',
  'packages/sdk/test/errors.test.ts',
  'packages/sdk/test/large-responses.test.ts',
  'packages/sdk/test/redis-*.test.ts',
  'packages/sdk/test/throttling.test.ts',
]
/** The tests in a browser run in CI, and with `--project browser`: a browser takes as much time as a thousand other tests. */
const isInBrowser =
  process.env.CI !== undefined || process.argv.some((argument) => /^(--project=)?browser/.test(argument))
if (!isInBrowser)
  process.stderr.write('run in CI, or with --project browser: packages/examples/test/*.browser.test.ts\n')

/** Tests that start and kill programs, measure memory or processor time, wait for real seconds or take minutes of processor time. They run in CI only. */
const inCiOnly = process.env.CI
  ? []
  : [
      'packages/*/test/*.memory.test.ts',
      'packages/sdk/test/{giving-up,large-responses,redis-outages,redis-processes}.test.ts',
      'packages/examples/test/{kills,one-key-many-processes,run-as-script}.test.ts',
      'packages/probe/test/services.test.ts',
      'packages/cli/test/*.processes.test.ts',
    ]
if (inCiOnly.length > 0) process.stderr.write(`run in CI only: ${inCiOnly.join(', ')}\n`)

// `pnpm check:sweep` runs the tests that run test suites.
const elsewhere = [...skippedTests, ...inCiOnly, '**/*.browser.test.ts', '**/sweep/test/processes/**']

export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  // Without 'module': that is an entry for bundlers, which Node itself cannot always load.
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: {
    // Each worker imports everything for itself: with more of them than cores, that costs more than waiting does.
    maxWorkers: Math.max(2, availableParallelism()),
    // On a busy machine even the start of a process takes seconds.
    testTimeout: process.env.CI ? 120_000 : 30_000,
    expect: { poll: { timeout: 10_000 } },
    maxConcurrency: 8,
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
    projects: [
      // Vitest starts projects in the order of their names. The longest tests are in this one.
      {
        test: {
          name: 'isolated',
          include: ownProcess,
          exclude: elsewhere,
          // Tests of one file that wait for a real Redis all wait at the same time.
          maxConcurrency: 16,
          setupFiles: ['packages/test-kit/src/seed-property-tests.ts'],
        },
      },
      {
        test: {
          name: 'node',
          include: ['packages/*/{src,dashboard,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...elsewhere, ...ownProcess],
          isolate: false,
          setupFiles: ['packages/test-kit/src/seed-property-tests.ts', 'packages/test-kit/src/clean-process.ts'],
        },
      },
      ...(isInBrowser ? [inBrowser(findChromium())] : []),
    ],
  },
})
