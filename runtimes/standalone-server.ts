/** Installs the packed mock server without MSW into an empty project and runs it there on each Node version. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bins, runBins } from './bins.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-standalone-'))
try {
  for (const name of new Set(['sdk', ...bins.map((bin) => bin.package)])) {
    await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(here, '../packages', name) })
  }
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`)
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true }')
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs]
  await run('npm', install, { cwd: folder })
  const installed = await readdir(join(folder, 'node_modules'))
  if (installed.includes('msw')) throw new Error('MSW was installed, so the check would be void')
  say(`npm install: ${installed.join(', ')}`)

  const { stdout: help } = await run('npx', ['guild-ledger-mock', '--help'], { cwd: folder })
  if (!help.startsWith('Usage: guild-ledger-mock')) throw new Error(`npx printed ${help}`)
  say('npx guild-ledger-mock --help: prints its usage')
  for (const line of await runBins(folder)) say(line)

  const handlers = `import { createMockLedger } from '@guild-ledger/mock-server'
try { createMockLedger().handlers } catch ({ message }) { console.log(message) }`
  await writeFile(join(folder, 'handlers.mjs'), handlers)
  const { stdout: message } = await run(process.execPath, ['handlers.mjs'], { cwd: folder })
  if (!message.startsWith('mock.handlers needs MSW 3, which is not installed'))
    throw new Error(`mock.handlers printed ${message}`)
  say('mock.handlers: the error names MSW and the alternatives')

  const typed = `import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { createAdmin } from '@guild-ledger/mock-server/admin'
const mock = createMockLedger()
void startMockServer({ mock, routes: createAdmin(mock) })
`
  await writeFile(join(folder, 'typed.mts'), typed)
  await run('npm', ['install', '--omit=peer', '--no-audit', '--no-fund', '--loglevel=error', '@types/node@24'], {
    cwd: folder,
  })
  for (const [name, tsc] of [
    ['TypeScript 5.9', 'typescript/bin/tsc'],
    ['TypeScript 7', 'typescript-7/bin/tsc'],
  ] as const) {
    const flags = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--module', 'nodenext', '--types', 'node']
    const args = [join(here, 'node_modules', tsc), ...flags, '--lib', 'es2023,dom,dom.iterable', 'typed.mts']
    await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(`${name}: ${error.stdout}`)
    })
    say(`${name}: compiles without MSW, with library types checked`)
  }

  const closing = `import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
const mock = createMockLedger({ transactions: 3 })
const server = await startMockServer({ mock })
const { status } = await fetch(server.url + '/guild/ledger/transactions', { headers: { 'x-api-key': mock.apiKey } })
await server.close()
const closed = await fetch(server.url).then(() => false, () => true)
console.log(status, closed)`
  await writeFile(join(folder, 'closing.mjs'), closing)
  for (const [name, file, ...flags] of [
    ['Bun', '.bin/bun', 'run'],
    ['Deno', '.bin/deno', 'run', '--allow-all'],
    ['Node 22', 'node-22/bin/node'],
  ] as const) {
    const { stdout } = await run(join(here, 'node_modules', file), [...flags, 'closing.mjs'], { cwd: folder })
    if (stdout !== '200 true\n') throw new Error(`${name}: a server printed ${stdout}`)
    say(`${name}: a server responds and closes`)
  }

  for (const node of ['node-22', 'node-24', 'node-26']) {
    const start = performance.now()
    const program = join(folder, 'node_modules/.bin/guild-ledger-mock')
    const child = spawn(join(here, 'node_modules', node, 'bin/node'), [program, '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url, apiKey } = JSON.parse(line.toString()) as { url: string; apiKey: string }
    const { status } = await fetch(`${url}/guild/ledger/transactions`, { headers: { 'x-api-key': apiKey } })
    const readyMs = Math.round(performance.now() - start)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    if (status !== 200 || code !== 0) throw new Error(`${node}: status ${status}, exit code ${code}`)
    say(`${node}: serves 1,000 transactions ${readyMs} ms after its start, exits with code 0`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
