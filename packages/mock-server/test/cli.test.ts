import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'

// Each test starts a process; on a busy machine that alone may take seconds.
vi.setConfig({ testTimeout: 30_000 })

const cli = new URL('../src/cli.ts', import.meta.url).pathname
const list = '/guild/ledger/transactions'

const run = (...args: string[]) => {
  const child = spawn(process.execPath, ['--conditions=@guild-ledger/source', cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs to the end. */
const outcome = async (...args: string[]) => {
  const child = run(...args)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number | null }
}

/** Runs until the first `lines` lines are out. */
const started = async (lines: number, ...args: string[]) => {
  const child = run(...args)
  let out = ''
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    out += String(chunk)
    if (out.split('\n').length > lines) break
  }
  child.stdout.resume()
  return { child, out, errors: () => err }
}
const startedJson = async (...args: string[]) => {
  const { child, out, errors } = await started(1, '--port', '0', '--json', ...args)
  const ready = JSON.parse(out) as { url: string; apiKey: string; guildId: string }
  const get = async (target: string) => {
    const response = await fetch(ready.url + target, { headers: { 'x-api-key': ready.apiKey } })
    return { status: response.status, body: (await response.json()) as { pagination: { total: number } } }
  }
  return { child, ready, get, errors }
}

const fileWith = (content: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'guild-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, content)
  return file
}
const rows = createMockLedger({ transactions: 3 }).guild.transactions
const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join('')

describe('serving', () => {
  it('says where it listens, and with what to ask', async () => {
    const { out } = await started(5, '--port', '0')
    const [, url = ''] = /^guild-ledger mock listening on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(out) ?? []

    expect(out).toContain('guild-ledger-mock-key')
    expect(out).toContain('1000 transactions of 50 users in guild-1')
    expect(out).toContain(`curl -H 'x-api-key: guild-ledger-mock-key' '${url}/guild/ledger/transactions?limit=3'`)
    expect((await fetch(url + list, { headers: { 'x-api-key': 'guild-ledger-mock-key' } })).status).toBe(200)
  })

  it('says it in one line of JSON', async () => {
    const { ready, get } = await startedJson('--users', '2', '--transactions', '7', '--seed', '5')

    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      apiKey: 'guild-ledger-mock-key',
      guildId: 'guild-1',
    })
    expect((await get(list)).body).toMatchObject({ pagination: { total: 7 }, summary: { uniqueUsers: 2 } })
  })

  it('takes a key, assumptions and rows of your own', async () => {
    const assumptions = fileWith('{ "pageUnit": "group", "maxPage": 3 }')
    const { ready, get } = await startedJson(
      '--api-key',
      'my-key',
      '--data',
      fileWith(ndjson),
      '--assumptions',
      assumptions,
      '--assume',
      'maxPage=1',
      '--assume',
      'createdAtFormat=seconds',
    )

    const { body } = await get(list)

    expect(ready.apiKey).toBe('my-key')
    expect(body.pagination.total).toBe(new Set(rows.map((row) => row.platformId)).size)
    expect(JSON.stringify(body)).toContain(`"${rows[0]?.createdAt.slice(0, 19)}Z"`)
    expect((await get(`${list}?page=2`)).status).toBe(400)
  })

  it('refuses what comes too fast, unless told otherwise', async () => {
    const [limited, open] = await Promise.all([
      startedJson('--rate-limit', '2', '--transactions', '1', '--assume', 'rateLimitAlgorithm=token-bucket'),
      startedJson('--rate-limit', 'off', '--transactions', '1'),
    ])
    const statuses = async (get: typeof limited.get) =>
      (await Promise.all(Array.from({ length: 20 }, () => get(list)))).map(({ status }) => status)

    expect(await statuses(limited.get)).toContain(429)
    expect(new Set(await statuses(open.get))).toEqual(new Set([200]))
  })

  it('logs requests, without the key', async () => {
    const { get, errors } = await startedJson('--log')

    await get(`${list}?limit=1`)

    await expect
      .poll(errors, { timeout: 10_000 })
      .toMatch(/^GET \/guild\/ledger\/transactions\?limit=1 200 \d+\.\d ms\n$/)
    expect(errors()).not.toContain('guild-ledger-mock-key')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with exit code 0 on %s, open connections or not', async (signal) => {
    const { child, get } = await startedJson('--transactions', '1')
    await get(list)

    child.kill(signal)

    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

const secondLineBroken = () => ndjson.replace(/\n.*\n/, '\n{"platformId":"1"}\n')

describe('bad input', () => {
  it.each<[string, string[] | (() => string[]), RegExp]>([
    ['an unknown flag', ['--prot', '1'], /^Unknown option --prot: did you mean --port\?/],
    ['a word', ['serve'], /^"serve" is not an option/],
    ['a value that is missing', ['--port'], /^--port needs a value/],
    ['a value too many', ['--json=1'], /^--json takes no value, but was given "1"\./],
    ['a port that is none', ['--port', 'http'], /^--port must be a whole number from 0 to 65535, not "http"\./],
    ['a port too high', ['--port', '65536'], /^--port must be a whole number from 0 to 65535, not "65536"\./],
    ['a negative seed', ['--seed', '-1'], /^--seed must be a whole number of at least 0, not "-1"\./],
    ['a limit of none', ['--rate-limit', '0'], /^--rate-limit must be at least 1; for no limit at all, say off\./],
    [
      'a limit that is no number',
      ['--rate-limit', 'ten'],
      /^--rate-limit must be a whole number from 0 to 1000000, or off/,
    ],
    ['transactions of nobody', ['--users', '0'], /^--users must be at least 1/],
    [
      'a file that is not there',
      ['--data', '/no/such.ndjson'],
      /^--data \/no\/such\.ndjson cannot be read: there is no such file\./,
    ],
    ['a folder', ['--data', '/'], /^--data \/ cannot be read: it is a folder\./],
    ['a broken line', () => ['--data', fileWith(secondLineBroken())], /^--data \S+: line 2: transactionId must be/],
    ['a line twice', () => ['--data', fileWith(ndjson + ndjson)], /^--data \S+: line 4: .* is that of line 1\n/],
    ['rows twice over', ['--data', 'x', '--seed', '1'], /^--data brings its own rows/],
    ['an unknown assumption', ['--assume', 'pageUnits=group'], /^--assume pageUnits=group: .* did you mean pageUnit\?/],
    ['a wrong reading', ['--assume', 'pageUnit=user'], /^--assume pageUnit=user: .* must be one of transaction, group/],
    ['assumptions that are no JSON', () => ['--assumptions', fileWith('{')], /^--assumptions \S+: it is not JSON\./],
    ['assumptions that are a list', () => ['--assumptions', fileWith('[]')], /^--assumptions \S+: assumptions must be/],
    [
      'a wrong assumption in a file',
      () => ['--assumptions', fileWith('{"maxPage":0}')],
      /^--assumptions \S+: .*maxPage/,
    ],
    ['a key no header can carry', ['--api-key', 'two words'], /^--api-key: The value of a key must be printable ASCII/],
  ])('%s: one line on stderr, exit code 2', async (_what, args, line) => {
    const { out, err, code } = await outcome(...(typeof args === 'function' ? args() : args))

    expect(err).toMatch(/^guild-ledger-mock: [^\n]+\n$/)
    expect(err.replace('guild-ledger-mock: ', '')).toMatch(line)
    expect({ out, code }).toEqual({ out: '', code: 2 })
  })

  it('names the port that is taken', async () => {
    await using server = await startMockServer({ mock: createMockLedger({ transactions: 0 }) })

    const { err, code } = await outcome('--port', String(server.port))

    expect(err).toBe(
      `guild-ledger-mock: --port ${server.port} --host 127.0.0.1: Cannot listen on port ${server.port} of 127.0.0.1: it is already in use; choose another, or 0 for a free one.\n`,
    )
    expect(code).toBe(2)
  })
})

it('explains itself', async () => {
  const { out, code } = await outcome('--help')

  expect(code).toBe(0)
  for (const flag of [
    '--rate-limit',
    '--port',
    '--host',
    '--seed',
    '--users',
    '--transactions',
    '--data',
    '--api-key',
  ]) {
    expect(out).toContain(flag)
  }
  expect(out).toContain('pageUnit')
})

it('tells its version', async () => {
  expect(await outcome('--version')).toEqual({
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    err: '',
    code: 0,
  })
})
