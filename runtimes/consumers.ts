/**
 * Installs the packed SDK into an empty project, as a user would, and uses it from ESM, CommonJS, TypeScript 5, 6 and 7
 * with two module resolutions, and two bundlers. Checks what editors show on hover.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { checkHovers } from './hovers.ts'
import { startServers } from './servers.ts'

/** Limit for the program that lists one page, in bytes, minified and gzipped. See docs/decisions/bundle-size.md. */
const sizeLimit = 50_176

const run = promisify(execFile)
const here = import.meta.dirname
const bin = (name: string) => join(here, 'node_modules', name)
const say = (line: string) => process.stdout.write(`${line}\n`)

const listOnePage = `import { GuildLedger } from '@guild-ledger/sdk'
const ledger = new GuildLedger()
console.log((await ledger.transactions.list({ limit: 5 })).pagination.total)
`
const files: Record<string, string> = {
  'package.json': '{ "name": "consumer", "private": true }',
  'esm.mjs': listOnePage,
  'json.mjs': `import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
console.log(description.info.version)
`,
  'cjs.cjs': `const { GuildLedger } = require('@guild-ledger/sdk')
const { documentedErrors } = require('@guild-ledger/sdk/contract')
if (documentedErrors.invalidApiKey.status !== 401) throw new Error('contract')
new GuildLedger().transactions.list({ limit: 5 }).then((page) => console.log(page.pagination.total))
`,
  'typed.ts': `import { GuildLedger, type GuildPage, type LedgerEntry } from '@guild-ledger/sdk'
import { limits } from '@guild-ledger/sdk/contract'
const ledger = new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example' })
export const page: Promise<GuildPage> = ledger.transactions.list({ limit: limits.maxLimit, sortBy: 'name' })
// @ts-expect-error the spec does not allow sorting one user's transactions by name
export const wrong = ledger.user('1').transactions.list({ sortBy: 'name' })
export const names = async (): Promise<string[]> => {
  const entries: LedgerEntry[] = []
  for await (const entry of ledger.transactions.iterate()) entries.push(entry)
  return entries.map(({ name }) => name)
}
`,
  // Whoever exports these without a type of their own needs every type in them to have a public name.
  'declared.ts': `import { createThrottle, GuildLedger, responseOf } from '@guild-ledger/sdk'
const ledger = new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example' })
export const { transactions, user, get, verify, close, throttle, toJSON } = ledger
export const { list, pages, iterate, watch } = ledger.user('1').transactions
export const one = ledger.user('1')
export const ended = transactions.iterate().ended
export const watched = transactions.watch()
export const own = createThrottle()
export const response = responseOf({})
export class Bot {
  transactions = ledger.transactions
  all = () => this.transactions.iterate()
  options = (...given: ConstructorParameters<typeof GuildLedger>) => given[0]
  retry = () => this.options({})?.retry
  appInfo = () => this.options({})?.appInfo
  logger = () => this.options({})?.logger
}
`,
  'json.mts': `import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
export const { operationId }: { operationId: string } = description.paths['/guild/ledger/transactions'].get
// @ts-expect-error the spec names this path without a response
export const none = description.paths['/guild/discharges'].get
`,
}
const typeScripts: [[string, string], ...[string, string][]] = [
  ['TypeScript 5.9', bin('typescript/bin/tsc')],
  ['TypeScript 6', bin('typescript-6/bin/tsc6')],
  ['TypeScript 7', bin('typescript-7/bin/tsc')],
]
/** Declarations need every type of an exported client to have a public name. */
const declarations = ['--declaration', '--emitDeclarationOnly', '--outDir', 'types', 'declared.ts']
const nodenext = ['--module', 'nodenext', '--moduleResolution', 'nodenext', 'json.mts']
const resolutions: Record<string, string[]> = {
  nodenext: [...nodenext, '--lib', 'es2022,dom,dom.iterable,esnext.disposable', ...declarations],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit', 'json.mts'],
}
/** What old CommonJS projects have, with the oldest compiler that the types work with; TypeScript 6 and 7 have it no more. */
const node10 = ['--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop', '--noEmit']

const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-consumer-'))
const servers = await startServers(() => '')
try {
  await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(here, '../packages/sdk') })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `./${tarball}`], { cwd: folder })
  const contents = await readdir(join(folder, 'node_modules/@guild-ledger/sdk'))
  if (contents.includes('src')) throw new Error(`the package contains its sources: ${contents.join(', ')}`)
  say(`npm install: ${contents.join(', ')}`)

  const { mock, apiKey } = servers.addresses
  const env = { ...process.env, GUILD_LEDGER_API_KEY: apiKey, GUILD_LEDGER_BASE_URL: mock }
  const expectPrinted = async (printed: string, what: string, file: string) => {
    for (const node of ['node-22', 'node-24', 'node-26']) {
      const { stdout, stderr } = await run(bin(`${node}/bin/node`), [file], { cwd: folder, env })
      if (stdout !== `${printed}\n` || stderr !== '') throw new Error(`${what} on ${node} printed ${stdout} ${stderr}`)
    }
    say(`${what}: prints ${printed} on Node 22, 24 and 26, without a warning`)
  }
  const expectTotal = async (what: string, file: string) => expectPrinted('120', what, file)
  await expectTotal('ESM import', 'esm.mjs')
  await expectTotal('CommonJS require', 'cjs.cjs')
  await expectPrinted('1.0.0', 'JSON import', 'json.mjs')

  const strict = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
  const expectCompiles = async (name: string, tsc: string, resolution: string, flags: string[]) => {
    const args = [tsc, ...strict, ...flags, 'typed.ts']
    await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(`${name}, ${resolution}: ${error.stdout}`)
    })
    say(`${name}, moduleResolution ${resolution}: compiles, with library types checked`)
  }
  for (const [nth, [name, tsc]] of typeScripts.entries()) {
    // With `CASES`, as before a release, all of them.
    const tried = Object.entries(resolutions).filter((_, i) => process.env.CASES || (nth + i) % 2 === 0)
    for (const [resolution, flags] of tried) await expectCompiles(name, tsc, resolution, flags)
  }
  await expectCompiles('TypeScript 5.2', bin('typescript-5.2/bin/tsc'), 'node10', node10)

  for (const typescript of process.env.CASES ? ['typescript', 'typescript-6'] : ['typescript-6'])
    say(checkHovers(typescript, folder))

  const bundled = join(folder, 'esbuild.mjs')
  await build({
    entryPoints: [join(folder, 'esm.mjs')],
    outfile: bundled,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
  })
  await expectTotal('esbuild bundle', 'esbuild.mjs')
  const bytes = gzipSync(await readFile(bundled), { level: 9 }).length
  say(`esbuild bundle: ${bytes} bytes minified and gzipped, limit ${sizeLimit}`)
  if (bytes > sizeLimit) throw new Error(`the bundle is ${bytes - sizeLimit} bytes too large`)

  const rolled = await rolldown({
    input: join(folder, 'esm.mjs'),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
  })
  await rolled.write({ file: join(folder, 'rolldown.mjs'), format: 'esm', minify: true })
  await rolled.close()
  await expectTotal('rolldown bundle', 'rolldown.mjs')

  // What npm installed above are the newest versions that the package allows.
  const { dependencies } = JSON.parse(await readFile(join(here, '../packages/sdk/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const lowest = Object.entries(dependencies).map(([name, range]) => `${name}@${range.replace('^', '')}`)
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...lowest], { cwd: folder })
  await expectTotal(`ESM import with ${lowest.join(' and ')}`, 'esm.mjs')
  await expectTotal(`CommonJS require with ${lowest.join(' and ')}`, 'cjs.cjs')
  const [[name, tsc]] = typeScripts
  const withLowest = `${name} with ${lowest.join(' and ')}`
  if (process.env.CASES) await expectCompiles(withLowest, tsc, 'nodenext', [...nodenext, '--noEmit'])
} finally {
  servers.close()
  await rm(folder, { recursive: true, force: true })
}
