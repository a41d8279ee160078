import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'

// Inside this package, so that imports resolve as in a user's project.
const folder = resolve(import.meta.dirname, '../out/coverage')
const vitest = resolve(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')

const readme = await readFile(resolve(import.meta.dirname, '../../mock-server/README.md'), 'utf8')
const [, section = ''] = readme.split('### Coverage\n')
const blockWith = (language: string) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n?^\`\`\``, 'gms'))].map(([, code = '']) => code)
const [config = '', suite = ''] = blockWith('ts')

/** A mock that another process serves, and a fault that never happens. */
const otherSuite = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { expect, it } from 'vitest'

it('requests one user', async () => {
  const { guild, clientOptions } = createMockLedger({ transactions: 0 })
  guild.fault({ kind: 'hang', endpoint: 'guild' })
  await expect(new GuildLedger(clientOptions).user('a').transactions.list()).rejects.toThrow('404')
})

it('starts a server', async () => {
  const program = ${JSON.stringify(resolve(import.meta.dirname, '../../mock-server/src/cli/main.ts'))}
  const server = spawn(process.execPath, [program, '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout, 'data')
  const response = await fetch(JSON.parse(line).url + '/guild/ledger/transactions', { headers: { 'x-api-key': 'none' } })
  server.kill()
  expect(response.status).toBe(401)
})
`

/** What Vitest prints for some files, from the coverage on, and its exit code. */
const runVitest = async (files: Record<string, string>, ...args: string[]) => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  return new Promise<{ printed: string; exitCode: unknown }>((done) => {
    const env = { ...process.env, NODE_OPTIONS: '--conditions=@guild-ledger/source', GITHUB_ACTIONS: '' }
    const command = [vitest, 'run', '--testTimeout=60000', ...args] // a busy machine takes more than five seconds
    execFile(process.execPath, command, { cwd: folder, env }, (error, stdout, stderr) => {
      const text = stripVTControlCharacters(stdout)
      const at = text.indexOf('Coverage of')
      done({ printed: at < 0 ? text + stderr : text.slice(at).trim(), exitCode: error?.code ?? 0 })
    })
  })
}

// The sources run as they are, which a user's project does not need.
const fromSources = config.replace(
  'defineConfig({',
  "defineConfig({ ssr: { resolve: { conditions: ['@guild-ledger/source', 'node'], externalConditions: ['@guild-ledger/source'] } },",
)
const shop = { 'vitest.config.ts': fromSources, 'shop.test.ts': suite }
const both = { ...shop, 'other.test.ts': otherSuite }

it('prints what the suite in the README did not cover, and fails below the threshold', async () => {
  const { printed, exitCode } = await runVitest(shop)

  const [shown = ''] = blockWith('text')
  const [start = '', end = ''] = shown.split('  …\n') // the README leaves most assumptions out
  expect(printed.startsWith(start)).toBe(true)
  expect(printed.slice(start.length)).toMatch(/^(?: {2}\w+(?:, \w+)*: .*: not shown\.\n)+FAILED/)
  expect(printed.endsWith(end)).toBe(true)
  expect(exitCode).toBe(1)
})

it.each([
  ['in threads, several files in each', ['--pool=threads', '--no-isolate', '--maxWorkers=1']],
  ['in processes, of one project', ['--project=bot']],
])('adds up the files %s and the servers that they start', async (_title, args) => {
  const enough = fromSources.replace('assumptions: 60', 'assumptions: 20, endpoints: 100')
  const named = enough.replace('test: {', "test: { name: 'bot',")
  const { printed, exitCode } = await runVitest({ ...both, 'vitest.config.ts': named }, ...args)

  expect(printed).toContain('endpoints    2 of 2 (100 %)')
  expect(printed).toContain('errors       2 of 6 (33 %)')
  expect(printed).not.toContain('Endpoints that no test requested')
  expect(printed).not.toContain('404 No transactions found for this user')
  expect(printed).toContain('Faults that never happened:\n  {"kind":"hang","endpoint":"guild"}')
  expect(printed).not.toContain('FAILED')
  expect(exitCode).toBe(0)
})
