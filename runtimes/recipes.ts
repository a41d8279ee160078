/**
 * Runs the test runners of docs/testing.md with the projects in `recipes/`: installs the packed packages with npm, as
 * a user would, and expects every test to pass. One of them sweeps a suite.
 */
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { findChromium } from '../scripts/chromium.ts'
import { startRegistry } from './registry.ts'

interface Recipe {
  readonly name: string
  /** Versions of Node that run it. */
  readonly nodes?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What it prints. */
  readonly prints: RegExp
  /** @default 0 */
  readonly exitCode?: number
}

interface Manifest {
  readonly bin?: string | Readonly<Record<string, string>>
}

const here = import.meta.dirname
// Outside of this repository, so that nothing in its folders is found.
const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-recipes-'))

/** With `CASES`, as before a release, two. */
const nodes = process.env.CASES ? ['node-22', 'node-24'] : ['node-22']
const recipes: readonly Recipe[] = [
  { name: 'vitest', nodes, prints: /Tests .*1 passed/ },
  {
    name: 'vitest',
    env: { FAIL: '1', GUILD_LEDGER_MOCK_ASSUME: 'userLimit=5' },
    exitCode: 1,
    prints: new RegExp(
      [
        'expected 250 to be 1 .*',
        '',
        'Requests to guild-3:',
        String.raw`  .* guild\?limit=5 \(key-3\) → 200`,
        'Assumptions: userLimit=5, the others as by default',
        "Replay: GUILD_LEDGER_MOCK_ASSUME=userLimit=5 npx vitest run spending.test.ts -t 'finds gifts'",
      ].join('\n'),
    ),
  },
  // Vitest treats files in `node_modules` differently: the sweep of the sources does not show whether this works.
  { name: 'sweep', exitCode: 1, prints: /2 of 2 tests break under other values/ },
  { name: 'jest-esm', prints: /Tests: +2 passed, 2 total/ },
  { name: 'jest-cjs', nodes: ['node-22'], prints: /Tests: +1 passed, 1 total/ },
  { name: 'another-realm', nodes, prints: /Tests: +4 passed, 4 total[^]*Tests .*4 passed/ },
  { name: 'node-test', nodes: ['node-22'], prints: /pass 2\n.*fail 0/ },
  { name: 'bun', prints: /2 pass\n 0 fail/ },
  { name: 'playwright', env: { CHROMIUM_PATH: findChromium() }, prints: /2 passed/ },
  { name: 'pytest', prints: /2 passed/ },
  { name: 'bats', prints: /ok 1 lists transactions\nok 2 sees an internal error/ },
]

/** A busy machine takes six times as long as a quiet one. */
const limitMs = 300_000

/** Runs `command`, and resolves with its exit code and all that it printed. */
const run = async (command: readonly string[], cwd: string, env: Readonly<Record<string, string>>) => {
  const [file = '', ...args] = command
  // In a process group of its own, so that a time-out ends what npm has started, too.
  const child = spawn(file, args, { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, detached: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  const timer = setTimeout(() => {
    printed += `stopped after ${limitMs / 1000} s\n`
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  }, limitMs)
  const exitCode = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  clearTimeout(timer)
  return { exitCode, printed }
}

/** The programs that recipes need. They are installed here already, so that they need not be fetched again. */
const tools = ['@playwright/test', 'bats', 'bun', 'jest', 'vitest']

/** Makes a program of this folder look as if it had been installed in `modules`. */
const linkTool = async (modules: string, name: string): Promise<void> => {
  const source = join(here, 'node_modules', name)
  await mkdir(dirname(join(modules, name)), { recursive: true })
  await symlink(source, join(modules, name))
  const { bin = {} } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest
  const programs = typeof bin === 'string' ? { [basename(name)]: bin } : bin
  for (const [program, file] of Object.entries(programs))
    await symlink(join(source, file), join(modules, '.bin', program))
}

/** A project for each recipe, with the packed packages in a `node_modules` that all share. */
const install = async (): Promise<void> => {
  const modules = join(folder, 'node_modules')
  await writeFile(join(folder, 'package.json'), '{ "name": "recipes", "private": true }')
  const registry = await startRegistry(join(here, '../packages'), ['sdk', 'mock-server', 'sweep'])
  try {
    await writeFile(join(folder, '.npmrc'), `@guild-ledger:registry=${registry.url}\n`)
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    const packages = ['@guild-ledger/sdk', '@guild-ledger/mock-server', '@guild-ledger/sweep']
    const { exitCode, printed } = await run(['npm', 'install', ...flags, ...packages], folder, {})
    if (exitCode !== 0) throw new Error(`npm install failed:\n${printed}`)
  } finally {
    registry.close()
  }
  for (const name of tools) await linkTool(modules, name)
  for (const name of new Set(recipes.map((recipe) => recipe.name))) {
    await cp(join(here, 'recipes', name), join(folder, name), { recursive: true })
    await symlink('../node_modules', join(folder, name, 'node_modules'))
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

const runRecipe = async ({ name, env = {}, prints, exitCode = 0 }: Recipe, node: string): Promise<void> => {
  const startedAt = performance.now()
  const path = [join(here, 'node_modules', node, 'bin'), process.env.PATH ?? ''].join(delimiter)
  const settings = { ...env, PATH: path, PYTHONDONTWRITEBYTECODE: '1' }
  const result = await run(['npm', 'test', '--loglevel=error'], join(folder, name), settings)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const isRight = result.exitCode === exitCode && prints.test(result.printed)
  say(`${name} on ${node}: ${isRight ? `as documented, ${seconds} s` : `FAILED:\n${result.printed}`}`)
  if (!isRight) process.exitCode = 1
}

try {
  await install()
  const [only = ''] = process.argv.slice(2)
  const chosen = recipes.filter(({ name }) => name.includes(only))
  const runs = chosen.flatMap((recipe) => (recipe.nodes ?? ['node-24']).map((node) => [recipe, node] as const))
  // Two at a time: they wait for processes to start.
  const runInTurn = async (): Promise<void> => {
    for (let next = runs.shift(); next; next = runs.shift()) await runRecipe(...next)
  }
  await Promise.all([runInTurn(), runInTurn()])
} finally {
  await rm(folder, { recursive: true, force: true })
}
