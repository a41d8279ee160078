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

// What is set for clients and mocks of one's own, or for the colours of a terminal, must not reach the tests.
for (const name of Object.keys(process.env)) if (/^(?:GUILD_LEDGER_|FORCE_COLOR$)/.test(name)) delete process.env[name]

/** By the names of their files: tests that need a program that is not on npm. Without it they are skipped, except in CI. */
const requiredPrograms = { 'redis-server': '**/redis-*.test.ts', python3: '**/*python*.test.ts' }
const onPath = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
const skippedTests = Object.entries(requiredPrograms).flatMap(([program, tests]) => {
  if (process.env.CI || onPath(program)) return []
  process.stderr.write(`skipped, because ${program} is not installed: ${tests}\n`)
  return [tests]
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
      connectTimeout: 240_000, // a busy machine needs more than a minute
      instances: [{ browser: 'chromium' }],
      provider: playwright({ launchOptions: { executablePath, args: chromiumFlags } }),
    },
  },
})

/**
 * Tests that start and kill programs, measure memory or processor time, wait for real seconds or take minutes of processor
 * time. Each has a process of its own.
 */
const inCiOnly = '**/*.ci.test.ts'
/**
 * Tests that need a process of their own, too: they replace modules, depend on when garbage is collected, or use most of
 * what a process shares. All other files share a few processes, which saves most of the time for imports.
 */
const isolated = '**/*.isolated.test.ts'
/** The tests in a browser run in CI, and with `--project browser`: a browser takes as much time as a thousand other tests. */
const isInBrowser =
  process.env.CI !== undefined || process.argv.some((argument) => /^(--project=)?browser/.test(argument))
if (!isInBrowser)
  process.stderr.write('run in CI, or with --project browser: packages/examples/test/*.browser.test.ts\n')

if (!process.env.CI) process.stderr.write(`run in CI only: ${inCiOnly}\n`)

// `pnpm check:sweep` runs the tests that run test suites.
const elsewhere = [
  ...skippedTests,
  ...(process.env.CI ? [] : [inCiOnly]),
  '**/*.browser.test.ts',
  '**/sweep/test/processes/**',
]

export default defineConfig({
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  // Without 'module': that is an entry for bundlers, which Node itself cannot always load.
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: {
    // With one more than there are processors, tests take as long, and 18 % more processor time.
    maxWorkers: availableParallelism(),
    // On a busy machine even the start of a process takes seconds.
    testTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    maxConcurrency: 8,
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
    projects: [
      // Vitest starts projects in the order of their names. The longest tests are in this one.
      {
        test: {
          name: 'isolated',
          include: ['packages/*/{src,test}/**/*.{ci,isolated}.test.ts'],
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
          exclude: [...elsewhere, inCiOnly, isolated],
          isolate: false,
          setupFiles: ['packages/test-kit/src/seed-property-tests.ts', 'packages/test-kit/src/clean-process.ts'],
        },
      },
      ...(isInBrowser ? [inBrowser(findChromium())] : []),
    ],
  },
})
