/**
 * Tries a release on this machine: sets the next versions in a clone of the last commit, packs its packages, publishes
 * them to a registry of its own with the script of the workflow, and installs them in empty projects with npm, pnpm and
 * Yarn. The packages are ES modules only: CommonJS gets them by `require()`, too, on each Node that they allow.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startRegistry } from './registry.ts'
import { scriptOf } from './workflow.ts'

const execute = promisify(execFile)
const say = (line: string) => process.stdout.write(`${line}\n`)
const root = resolve(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-release-'))
const clone = join(folder, 'clone')

/** Nothing is taken from a cache or a setting of the user, nor from those of pnpm, which started this program. */
const home = join(folder, 'home')
const bin = join(folder, 'bin')
const isSetting = (name: string) => name === 'CI' || /^(npm|pnpm)_/i.test(name)
const ownHome = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name))),
  HOME: home,
  XDG_CACHE_HOME: home,
  XDG_DATA_HOME: home,
  npm_config_prefix: home, // by default it is the folder of Node, where `npx` needs a folder `lib`, which this Node lacks
  PATH: [bin, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
}

/** Runs a command; resolves with all that it printed. */
const run = async (command: readonly string[], cwd: string, env: NodeJS.ProcessEnv = ownHome): Promise<string> => {
  const [file = '', ...args] = command
  const ended = execute(file, args, { cwd, env, timeout: 300_000, maxBuffer: 2 ** 26 })
  const { stdout, stderr } = await ended.catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${command.join(' ')}: ${error.message}\n${error.stdout}${error.stderr}`)
  })
  return stdout + stderr
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
}

/** Replaces the placeholder, sets the versions and packs, as CONTRIBUTING says; resolves with the folder of the tarballs. */
const pack = async (): Promise<string> => {
  await run(['git', 'clone', '--quiet', root, clone], folder)
  const placeholder = ['github.com', 'example', ''].join('/')
  const files = await run(['git', 'grep', '-l', placeholder], clone).catch(() => '')
  for (const file of files.split('\n').filter(Boolean)) {
    const text = await readFile(join(clone, file), 'utf8')
    await writeFile(join(clone, file), text.replaceAll(placeholder, 'github.com/guild-ledger/'))
  }
  const env = { ...process.env, GITHUB_REPOSITORY: 'guild-ledger/guild-ledger' }
  await run(['pnpm', 'install', '--frozen-lockfile', '--prefer-offline'], clone, env)
  // Without changesets, this commit has the versions already.
  if ((await run(['git', 'ls-files', '.changeset/*.md'], clone)) !== '')
    await run(['pnpm', 'version-packages'], clone, env)
  await run(['pnpm', 'build'], clone, env)
  await run(['pnpm', 'check:packages', '--release', join(folder, 'packed')], clone, env)
  return join(folder, 'packed')
}

/** Publishes as the workflow does, but without provenance, which only a workflow can have. */
const publish = async (registry: string, token: string): Promise<void> => {
  const script = scriptOf('Publish what is not on npm yet')
  // Whatever is configured elsewhere, nothing is published to another registry.
  const local = script.replace('--provenance', `--provenance=false --registry ${registry}/`)
  if (local === script) throw new Error('the workflow publishes without provenance')
  await writeFile(join(home, '.npmrc'), `registry=${registry}/\n//${registry.slice(7)}/:_authToken=${token}\n`)
  const first = await run(['bash', '-c', local], folder)
  const again = await run(['bash', '-c', local], folder)
  say(`published: ${[...first.matchAll(/^\+ (.+)$/gm)].map(([, id]) => id).join(', ')}; again: ${again || 'nothing'}`)
}

/** Announces as the workflow does; here, `gh` knows no release and prints its arguments and the notes. */
const announce = async (): Promise<void> => {
  const gh = '#!/bin/sh\n[ "$2" = view ] && exit 1\nfor notes; do :; done\necho "$@"; test -s "$notes"\n'
  await writeFile(join(bin, 'gh'), gh, { mode: 0o755 })
  const script = scriptOf('Create a tag and a release for each version that has none')
  say((await run(['bash', '-c', script], folder, { ...ownHome, GITHUB_SHA: 'HEAD' })).trim())
}

const program = (path: string) => [process.execPath, join(import.meta.dirname, 'node_modules', path)]
const yarn = program('yarn/bin/yarn.js')
const yarn4 = program('@yarnpkg/cli-dist/bin/yarn.js')
/** How each package manager installs packages, runs a file, and runs a program of an installed package. */
const managers = [
  { name: 'npm', add: ['npm', 'install', '--no-audit', '--no-fund'], node: ['node'], bin: ['npx'] },
  { name: 'pnpm', add: ['pnpm', 'add'], node: ['node'], bin: ['pnpm', '--silent', 'exec'] },
  { name: 'Yarn 1', add: [...yarn, 'add'], node: ['node'], bin: [...yarn, '--silent', 'run'] },
  { name: 'Yarn 4', add: [...yarn4, 'add'], node: [...yarn4, 'node'], bin: [...yarn4, 'run'] },
]

/** Entries that need a package which is not a dependency: Vitest. */
const isImported = (entry: string) => !entry.endsWith('.json') && !entry.endsWith('/vitest')

/** Programs that load every entry and list a page of the mock. */
const programsOf = (manifests: readonly Manifest[]): Readonly<Record<string, string>> => {
  const entries = manifests.flatMap(({ name, exports }) =>
    Object.keys(exports)
      .map((path) => name + path.slice(1))
      .filter(isImported),
  )
  const main = `const mock = createMockLedger({ transactions: 3 })
  const ledger = new GuildLedger({ apiKey: mock.apiKey, baseUrl: mock.origin, fetch: mock.fetch })
  const { pagination } = await ledger.transactions.list()
  console.log(entries.length + ' entries, ' + pagination.total + ' transactions')`
  const list = JSON.stringify(entries)
  return {
    'esm.mjs': `import { GuildLedger } from '@guild-ledger/sdk'
import { createMockLedger } from '@guild-ledger/mock-server'
const entries = await Promise.all(${list}.map((entry) => import(entry)))
${main}
`,
    'commonjs.cjs': `const { GuildLedger } = require('@guild-ledger/sdk')
const { createMockLedger } = require('@guild-ledger/mock-server')
const entries = ${list}.map((entry) => require(entry))
const main = async () => {
  ${main}
}
main()
`,
  }
}

const from = performance.now()
let registry: Awaited<ReturnType<typeof startRegistry>> | undefined
try {
  await mkdir(join(home, 'lib'), { recursive: true })
  await mkdir(bin)
  const packed = await pack()
  say(`packed after ${Math.round((performance.now() - from) / 1000)} s`)
  registry = await startRegistry(folder)
  await publish(registry.url, registry.token)
  await announce()

  const ids = (await readFile(join(packed, 'order.txt'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const manifests: Manifest[] = []
  for (const [file = ''] of ids) {
    const text = await run(['tar', '-xzOf', join(packed, file), 'package/package.json'], folder)
    manifests.push(JSON.parse(text) as Manifest)
  }
  const bins = manifests.flatMap(({ name, version, bin: named = {} }) =>
    Object.keys(named).map((command) => ({ name, version, command })),
  )
  const expectPrinted = (printed: string, expected: string, what: string): void => {
    if (printed.trim() !== expected) throw new Error(`${what} printed\n${printed}\ninstead of\n${expected}`)
  }
  for (const manager of managers) {
    const project = join(folder, manager.name.replace(' ', '-'))
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{ "name": "project", "private": true }')
    // By default, Yarn 4 waits a day before it installs a version.
    const settings = { npmRegistryServer: registry.url, unsafeHttpWhitelist: ['127.0.0.1'], npmMinimalAgeGate: 0 }
    await writeFile(join(project, '.yarnrc.yml'), JSON.stringify(settings))
    for (const [name, text] of Object.entries(programsOf(manifests))) await writeFile(join(project, name), text)
    await run([...manager.add, ...manifests.map(({ name }) => name)], project)
    for (const file of ['esm.mjs', 'commonjs.cjs'])
      say(`${manager.name}, ${file}: ${(await run([...manager.node, file], project)).trim()}`)
    for (const { command, version } of bins)
      expectPrinted(await run([...manager.bin, command, '--version'], project), version, `${manager.name}: ${command}`)
    say(`${manager.name}: ${bins.map(({ command }) => command).join(', ')} run`)
  }
  const empty = join(folder, 'empty')
  await mkdir(empty)
  for (const { name, version } of bins) {
    expectPrinted(await run(['npx', '--yes', name, '--version'], empty), version, `npx ${name}`)
    say(`npx ${name} --version: ${version}`)
  }
} finally {
  registry?.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
say(`released and installed after ${Math.round((performance.now() - from) / 1000)} s`)
