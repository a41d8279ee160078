import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Served } from '../carriers/node.ts'
import { createRequestLog } from './request-log.ts'

const served = (change: Partial<Served> = {}): Served => ({
  method: 'GET',
  target: '/guild/ledger/transactions?limit=3',
  status: 200,
  durationMs: 0.1424,
  ...change,
})

const logged = async (requests: readonly Served[], { json = false, terminal = false } = {}): Promise<string> => {
  const stream = Object.assign(new PassThrough(), { isTTY: terminal, getColorDepth: () => 8 })
  const log = createRequestLog(stream as unknown as NodeJS.WriteStream, json)
  for (const request of requests) log(request)
  setImmediate(() => stream.end())
  return text(stream)
}

// Whatever the machine that runs the tests says of colours.
beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS']) vi.stubEnv(name, undefined)
})

describe('a line of the log', () => {
  it.each<[string, Partial<Served>]>([
    ['GET /guild/ledger/transactions?limit=3 200 "my bot" 142 µs', { keyName: 'my bot' }],
    ['GET /guild/ledger/transactions?limit=3 401 - 142 µs refused by key', { status: 401, refusedBy: 'key' }],
    [
      'GET /guild/ledger/transactions?limit=3 429 "my bot" 142 µs refused by rate limit',
      { status: 429, refusedBy: 'rate limit', keyName: 'my bot' },
    ],
    [
      'GET /guild/ledger/transactions?limit=3 500 "my bot" 142 µs met latency, internal-error',
      { status: 500, faults: ['latency', 'internal-error'], keyName: 'my bot' },
    ],
  ])('is %s', async (line, change) => {
    expect(await logged([served(change)])).toBe(`${line}\n`)
  })

  it('cuts a path that would fill the screen', async () => {
    const line = await logged([served({ target: `/${'x'.repeat(8000)}` })])

    expect(line).toBe(`GET /${'x'.repeat(198)}… 200 - 142 µs\n`)
  })

  it('sends nothing to a terminal that it could take for a command', async () => {
    const target = '/\u001B[2J\u009B2J\u007F\u00FC'
    const keyName = 'a\u001B[31m"\n\u202E\u2028b'

    expect(await logged([served({ target, keyName })])).toBe(
      String.raw`GET /%1B[2J%9B2J%7F%FC 200 "a\u001b[31m\"\n\u{202e}\u{2028}b" 142 µs` + '\n',
    )
    const json = await logged([served({ target, keyName })], { json: true })
    expect(json).not.toMatch(/[^\x20-\x7E\xFC\n]/)
    expect(JSON.parse(json)).toMatchObject({ target, keyName })
  })

  it('is a JSON object for programs', async () => {
    const lines = await logged(
      [served(), served({ status: 404, refusedBy: 'data', keyName: 'bot', faults: ['hang'] })],
      {
        json: true,
        terminal: true,
      },
    )

    const target = '/guild/ledger/transactions?limit=3'
    expect(lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))).toEqual([
      { method: 'GET', target, status: 200, keyName: null, microseconds: 142, refusedBy: null, faults: [] },
      { method: 'GET', target, status: 404, keyName: 'bot', microseconds: 142, refusedBy: 'data', faults: ['hang'] },
    ])
  })
})

describe('colour', () => {
  it.each([
    ['is there on a terminal', true, undefined, true],
    ['is not there elsewhere', false, undefined, false],
    ['is there elsewhere with FORCE_COLOR', false, '1', true],
    ['is not there on a terminal with FORCE_COLOR=0', true, '0', false],
  ])('%s', async (_what, terminal, forced, coloured) => {
    vi.stubEnv('FORCE_COLOR', forced)

    const line = await logged([served({ status: 500 })], { terminal })

    expect(line.includes('\u001B[31m500')).toBe(coloured)
  })
})
