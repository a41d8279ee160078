/**
 * Installs the packed mock server into an empty project, without MSW, and serves from there on each Node: as a program
 * in its own right it must need nothing else. Prints what it did.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = import.meta.dirname
const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-served-'))
try {
  for (const name of ['sdk', 'mock-server']) {
    await run('pnpm', ['pack', '--pack-destination', folder], { cwd: join(here, '../packages', name) })
  }
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`)
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true }')
  const install = ['install', '--omit=peer', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs]
  await run('npm', install, { cwd: folder })
  const installed = await readdir(join(folder, 'node_modules'))
  if (installed.includes('msw')) throw new Error('MSW was installed, so this would prove nothing')
  say(`npm install: ${installed.join(', ')}`)

  const { stdout: help } = await run('npx', ['guild-ledger-mock', '--help'], { cwd: folder })
  if (!help.startsWith('Usage: guild-ledger-mock')) throw new Error(`npx printed ${help}`)
  say('npx guild-ledger-mock --help: prints its usage')

  const handlers = `import { createMockLedger } from '@guild-ledger/mock-server'
try { createMockLedger().handlers } catch ({ message }) { console.log(message) }`
  await writeFile(join(folder, 'handlers.mjs'), handlers)
  const { stdout: advice } = await run(process.execPath, ['handlers.mjs'], { cwd: folder })
  if (!advice.startsWith('mock.handlers needs MSW, which is not installed')) throw new Error(`it said ${advice}`)
  say('mock.handlers: says that it needs MSW, and what does without')

  for (const node of ['node-22', 'node-24', 'node-26']) {
    const begin = performance.now()
    const program = join(folder, 'node_modules/.bin/guild-ledger-mock')
    const child = spawn(join(here, 'node_modules', node, 'bin/node'), [program, '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url, apiKey } = JSON.parse(line.toString()) as { url: string; apiKey: string }
    const { status } = await fetch(`${url}/guild/ledger/transactions`, { headers: { 'x-api-key': apiKey } })
    const readyMs = Math.round(performance.now() - begin)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    if (status !== 200 || code !== 0) throw new Error(`${node}: status ${status}, exit code ${code}`)
    say(`${node}: 1,000 rows served ${readyMs} ms after its start, ends with exit code 0`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
