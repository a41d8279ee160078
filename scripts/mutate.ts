/**
 * Changes the code of a folder in many small ways and reports which changes no test notices. The code is changed in place,
 * so commit before. Only what has changed since the last run is tried again.
 *
 *     pnpm mutate packages/sdk/src/watch packages/sdk/test/watch.test.ts    a folder or file, and further tests of it
 *
 * The tests beside the code always run. Leave out tests that take seconds: each one runs again for most of the changes.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'

const [place = '', ...tests] = process.argv.slice(2)
if (!statSync(place, { throwIfNoEntry: false })) {
  process.stderr.write('Usage: pnpm mutate <folder or file> [test file …]\n')
  process.exit(2)
}
const isFile = place.endsWith('.ts')
const out = `.stryker/${place.replaceAll('/', '-')}`
mkdirSync(out, { recursive: true })
const config = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutation.config.ts', related: false },
  mutate: [isFile ? place : `${place}/**/*.ts`, '!**/*.test.ts', '!**/*.test-d.ts', '!**/index.ts'],
  inPlace: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 3000,
  incremental: true,
  incrementalFile: `${out}/incremental.json`,
  tempDirName: `${out}/temporary`,
  reporters: ['clear-text', 'progress-append-only', 'html'],
  htmlReporter: { fileName: `${out}/report.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}
writeFileSync(`${out}/config.json`, JSON.stringify(config, null, 2))
const beside = isFile ? place.replace(/\.ts$/u, '{.isolated,}.test.ts') : `${place}/**/*.test.ts`
const env = { ...process.env, MUTATION_TESTS: JSON.stringify([beside, ...tests]) }
const { status } = spawnSync('stryker', ['run', `${out}/config.json`], { stdio: 'inherit', env })
process.exitCode = status ?? 1
