import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, it, vi } from 'vitest'
import { runProbe } from '../../src/cli/probe.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { fileWith, folder } from '../cli-process.ts'

// A busy machine takes a while for some dozens of requests.
vi.setConfig({ testTimeout: 240_000 })

/** Runs the subcommand in this process. */
const run = async (
  args: string[],
  environment: Record<string, string> = { LEDGER_KEY: 'k3y-in-the-environment', OTHER_KEY: 'an0ther' },
) => {
  let [out, err] = ['', '']
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true))
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true))
  try {
    return { code: await runProbe(args, environment), out, err }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { code: 2, out, err: error.message }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}

const base = ['--base-url', 'https://ledger.example', '--api-key-env', 'LEDGER_KEY', '--out', '/nowhere']

it.each<[string, string[], RegExp]>([
  ['an unknown option', ['--urls', 'x'], /^Unknown option '--urls'/],
  ['no address', ['--api-key-env', 'LEDGER_KEY', '--out', 'x'], /^`--base-url` is missing/],
  ['no key', ['--base-url', 'https://ledger.example', '--out', 'x'], /^`--api-key-env` is missing/],
  ['no folder', base.slice(0, 4), /^`--out` is missing/],
  [
    'a variable that is not set',
    [...base, '--expired-key-env', 'NO_SUCH'],
    /^`--expired-key-env`: the environment variable NO_SUCH is not set\.$/,
  ],
  [
    'an address without https',
    ['--base-url', 'http://ledger.example', ...base.slice(2)],
    /^`--base-url` must be https, .*: the key would be sent unencrypted\.$/,
  ],
  [
    'a folder below a file',
    [...base.slice(0, 5), join(fileURLToPath(import.meta.url), 'x', 'y')],
    /^--out \S+ must be a folder, but \S+cli-probe\.test\.ts is a file\.$/,
  ],
  [
    'a folder that is a file',
    [...base.slice(0, 5), fileURLToPath(import.meta.url)],
    /^--out \S+ must be a folder, but it is a file\.$/,
  ],
  [
    'a number of requests that is none',
    [...base, '--max-requests', 'many'],
    /^`--max-requests` must be a number > 0, got "many"/,
  ],
  ['a rate above the limit', [...base, '--rps', '20'], /^`--rps` must be a number from 0\.1 to 10, got 20/],
  [
    'a key that only a burst uses',
    [...base, '--same-guild-key-env', 'OTHER_KEY'],
    /^`--same-guild-key-env` is used only with `--burst`: set it too$/,
  ],
  [
    'the same key twice',
    [...base, '--burst', '--other-guild-key-env', 'LEDGER_KEY'],
    /^`--other-guild-key-env` must be another key than `--api-key-env`$/,
  ],
  ['a file that is missing', [...base, '--expect', '/no/such.json'], /^--expect \/no\/such\.json: /],
])('exits with 2 for %s, and says why', async (_, args, message) => {
  const { code, err } = await run(args)

  expect(err).toMatch(message)
  expect(code).toBe(2)
})

it('exits with 2 for an unknown name in the file of --expect', async () => {
  const { code, err } = await run([...base, '--expect', fileWith('{"pageUnits":"group"}')])

  expect(err).toContain('Did you mean `pageUnit`?')
  expect(code).toBe(2)
})

it('does not repeat a key that was given instead of the name of a variable', async () => {
  const { err } = await run(['--base-url', 'https://ledger.example', '--api-key-env', 's3cret-key', '--out', 'x'])

  expect(err).not.toContain('s3cret')
})

it('sends nothing with --dry-run', async () => {
  const { code, out } = await run([...base.slice(0, 4), '--dry-run'])

  expect(out).toContain('At most 150 requests, 4 per second')
  expect(out).not.toContain('exceed the rate limit')
  expect(code).toBe(0)
})

it('names the requests of --burst with --dry-run, and no request of the ledger twice', async () => {
  const { out } = await run([...base.slice(0, 4), '--dry-run', '--burst', '--max-requests', '40'])
  const requests = out.split('\n').filter((line) => line.startsWith('  GET') && !line.endsWith('?limit=1'))

  expect(out).toContain('At the end 43 to 86 that exceed the rate limit, if that many are left of the 40:')
  expect(new Set(requests).size).toBe(requests.length)
})

it('counts the requests of further keys of --burst with --dry-run', async () => {
  const { out } = await run([...base.slice(0, 4), '--dry-run', '--burst', '--same-guild-key-env', 'OTHER_KEY'])

  expect(out).toContain('At the end 43 to 141 that exceed the rate limit, if that many are left of the 150:')
})

it('says on SIGINT that no file was written, and exits with 130', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock, port: 0 })
  const out = folder()
  const running = run(['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', out], {
    LEDGER_KEY: mock.apiKey,
  })
  await vi.waitFor(() => expect(mock.requests.length).toBeGreaterThan(0), { timeout: 20_000 })
  process.emit('SIGINT')
  const { code, err } = await running

  expect(err).toMatch(/^guild-ledger-mock: the probe was interrupted after \d+ requests?: no file was written\n$/)
  expect(readdirSync(out)).toEqual([])
  expect(code).toBe(130)
})

it('exits with 3 if the service rejects the key', async () => {
  await using server = await startMockServer({ mock: createMockLedger({ transactions: 5 }), port: 0 })
  const { code, err } = await run(['--base-url', server.url, ...base.slice(2)])

  expect(err).toContain('The service rejects the key')
  expect(code).toBe(3)
})

it('escapes control characters in what the service says', async () => {
  const service = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: false, message: '\u001B[2Jgone' }))
  })
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const { err } = await run(['--base-url', `http://127.0.0.1:${port}`, ...base.slice(2)])
  service.close()

  expect(err).toContain('\\u{1b}[2Jgone')
  expect(err).not.toContain('\u001B')
})

it('exits with 5 if a file would contain the key, names the file and prints the report', async () => {
  const mock = createMockLedger({ transactions: 4, users: 2, apiKey: 'unobservable' })
  await using server = await startMockServer({ mock, port: 0 })
  const out = folder()
  const args = ['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', out, '--rps', '10']

  const { code, err, out: printed } = await run([...args, '--max-requests', '5'], { LEDGER_KEY: 'unobservable' })

  expect(code).toBe(5)
  expect(err).toContain('probe.md was not written: it would contain 1 identifiers or keys of the service')
  expect(readdirSync(out)).toEqual(['assumptions.json'])
  expect(printed).toContain('assumptions decided')
  expect(printed).toContain('needs a key for it: `--expired-key-env`')
  expect(printed).toContain('needs a rate-limited response: `--burst`')
})

it('exits with 5 if a file cannot be written, and prints the report', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock, port: 0 })
  const out = folder()
  mkdirSync(join(out, 'probe.json'))
  const args = ['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', out, '--max-requests', '2']

  const { code, err, out: printed } = await run(args, { LEDGER_KEY: mock.apiKey })

  expect(err).toMatch(/^guild-ledger-mock: \S+probe\.json was not written: /)
  expect(printed).toContain('assumptions decided')
  expect(code).toBe(5)
})

it('writes its files, and with --expect exits with 1 if something differs', async () => {
  const mock = createMockLedger({ transactions: 4, users: 2, assumptions: { userLimit: 7 } })
  await using server = await startMockServer({ mock, port: 0 })
  const out = folder()
  const args = [
    '--base-url',
    server.url,
    '--api-key-env',
    'LEDGER_KEY',
    '--out',
    out,
    '--rps',
    '10',
    '--max-requests',
    '14',
    '--fixture',
  ]
  const environment = { LEDGER_KEY: mock.apiKey }

  const { code } = await run([...args, '--expect', fileWith('{"userLimit":20}')], environment)

  expect(readdirSync(out).toSorted()).toEqual(['assumptions.json', 'ledger.ndjson', 'probe.json', 'probe.md'])
  expect(readFileSync(join(out, 'probe.md'), 'utf8')).toContain('userLimit: expected 20, now 7')
  expect(code).toBe(1)
})

it('says which files in the folder are of an earlier run, and leaves them', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock, port: 0 })
  const out = folder()
  writeFileSync(join(out, 'ledger.ndjson'), 'earlier')
  writeFileSync(join(out, 'notes.txt'), 'own')
  const args = ['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', out, '--max-requests', '2']

  const without = await run(args, { LEDGER_KEY: mock.apiKey })
  const kept = readFileSync(join(out, 'ledger.ndjson'), 'utf8')
  const renewed = await run([...args, '--fixture'], { LEDGER_KEY: mock.apiKey })

  expect(without.err).toBe(
    `guild-ledger-mock: ${join(out, 'ledger.ndjson')} is of an earlier run, and may not agree with the other files: delete it, or renew it with --fixture\n`,
  )
  expect(without.code).toBe(0)
  expect(kept).toBe('earlier')
  expect(renewed.err).toBe('')
  expect(readFileSync(join(out, 'ledger.ndjson'), 'utf8')).toBe('')
})

it('says that the file of an earlier run is left where one is not written', async () => {
  const mock = createMockLedger({ transactions: 4, users: 2, apiKey: 'unobservable' })
  await using server = await startMockServer({ mock, port: 0 })
  const out = folder()
  writeFileSync(join(out, 'probe.md'), 'earlier')
  const args = ['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', out, '--rps', '10']

  const { err, code } = await run([...args, '--max-requests', '5'], { LEDGER_KEY: 'unobservable' })

  expect(err).toContain(
    `${join(out, 'probe.md')} is of an earlier run, and may not agree with the other files: delete it\n`,
  )
  expect(code).toBe(5)
})

it('exits with 6 if a value of --expect could not be checked, and names it', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock, port: 0 })
  const args = ['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', folder(), '--rps', '10']
  const expected = fileWith('{"unlistedParameter":"ignore","pageUnit":"transaction","expiredKeyStatus":401}')

  const { code, out } = await run([...args, '--expect', expected], { LEDGER_KEY: mock.apiKey })

  expect(out).toContain(
    '1 of 3 expected values were checked, 0 of these differ; not checked: pageUnit, expiredKeyStatus.',
  )
  expect(out).toContain('The ledger is empty: ')
  expect(out).not.toContain('parts differ')
  expect(code).toBe(6)
})

it('exits with 0 if every value of --expect was checked and none differs', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock, port: 0 })
  const args = ['--base-url', server.url, '--api-key-env', 'LEDGER_KEY', '--out', folder(), '--rps', '10']

  const { code, out } = await run([...args, '--expect', fileWith('{"unlistedParameter":"ignore"}')], {
    LEDGER_KEY: mock.apiKey,
  })

  expect(out).toContain('0 of 1 expected values differ.')
  expect(code).toBe(0)
})
