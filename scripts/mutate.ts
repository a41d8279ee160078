/**
 * Changes the code in many small ways and reports which changes no test notices. The code is changed in place, so commit
 * before. Only what has changed since the last run is tried again.
 *
 *     pnpm mutate watch                 one folder: see scripts/mutation/folders.ts
 *     pnpm mutate watch src/cursor.ts   files of it
 *     pnpm mutate transport/send        one file of a folder that is tried file by file
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { folders } from './mutation/folders.ts'

const [name = '', ...files] = process.argv.slice(2)
const folder = folders[name]
if (!folder) {
  process.stderr.write(`Usage: pnpm mutate <folder> [file]. Folders: ${Object.keys(folders).join(', ')}\n`)
  process.exit(2)
}
const mutate = files.length > 0 ? files.map((file) => `packages/*/${file}`) : folder.mutate
const out = `.stryker/${name}`
mkdirSync(out, { recursive: true })
const config = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  mutate: [...mutate, '!**/*.test.ts', '!**/*.test-d.ts', '!**/index.ts'],
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
const env = { ...process.env, MUTATION_TESTS: JSON.stringify(folder.tests) }
const { status } = spawnSync('stryker', ['run', `${out}/config.json`], { stdio: 'inherit', env })
process.exitCode = status ?? 1
