import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResponseEvent } from '../adapters/node/server.ts'
import { createRequestPrinter } from './request-log.ts'

const event = (change: Partial<ResponseEvent> = {}): ResponseEvent => ({
  method: 'GET',
  target: '/guild/ledger/transactions?limit=3',
  status: 200,
  durationMs: 0.1424,
  ...change,
})

const printed = async (events: readonly ResponseEvent[], { json = false, terminal = false } = {}): Promise<string> => {
  const stream = Object.assign(new PassThrough(), { isTTY: terminal, getColorDepth: () => 8 })
  const print = createRequestPrinter(stream as unknown as NodeJS.WriteStream, json)
  for (const each of events) print(each)
  setImmediate(() => stream.end())
  return text(stream)
}

// Whatever the environment of the tests says about colours.
beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS']) vi.stubEnv(name, undefined)
})

describe('a line for a response', () => {
  it.each<[string, Partial<ResponseEvent>]>([
    ['GET /guild/ledger/transactions?limit=3 200 "my bot" 142 µs', { keyName: 'my bot' }],
    ['GET /guild/ledger/transactions?limit=3 401 - 142 µs rejected by key', { status: 401, rejectedBy: 'key' }],
    [
      'GET /guild/ledger/transactions?limit=3 429 "my bot" 142 µs rejected by rate limit',
      { status: 429, rejectedBy: 'rate limit', keyName: 'my bot' },
    ],
    [
      'GET /guild/ledger/transactions?limit=3 500 "my bot" 142 µs faults latency, internal-error',
      { status: 500, faults: ['latency', 'internal-error'], keyName: 'my bot' },
    ],
  ])('is %s', async (line, change) => {
    expect(await printed([event(change)])).toBe(`${line}\n`)
  })

  it('truncates a long path', async () => {
    const line = await printed([event({ target: `/${'x'.repeat(8000)}` })])

    expect(line).toBe(`GET /${'x'.repeat(198)}… 200 - 142 µs\n`)
  })

  it('escapes control characters of a terminal', async () => {
    const target = '/\u001B[2J\u009B2J\u007F\u00FC'
    const keyName = 'a\u001B[31m"\n\u202E\u2028b'

    expect(await printed([event({ target, keyName })])).toBe(
      String.raw`GET /\u{1b}[2J\u{9b}2J\u{7f}ü 200 "a\u001b[31m\"\n\u{202e}\u{2028}b" 142 µs` + '\n',
    )
  })

  it('is a JSON object with json', async () => {
    const rejected = event({ status: 404, rejectedBy: 'data', keyName: 'bot', faults: ['hang'] })
    const lines = await printed([event(), rejected], { json: true, terminal: true })

    const target = '/guild/ledger/transactions?limit=3'
    expect(lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))).toEqual([
      { method: 'GET', target, status: 200, keyName: null, microseconds: 142, rejectedBy: null, faults: [] },
      { method: 'GET', target, status: 404, keyName: 'bot', microseconds: 142, rejectedBy: 'data', faults: ['hang'] },
    ])
  })
})

describe('the colour of a status', () => {
  it.each([
    ['is there on a terminal', true, undefined, true],
    ['is not there elsewhere', false, undefined, false],
    ['is there elsewhere with FORCE_COLOR', false, '1', true],
    ['is not there on a terminal with FORCE_COLOR=0', true, '0', false],
  ])('%s', async (_case, terminal, forced, coloured) => {
    vi.stubEnv('FORCE_COLOR', forced)

    const line = await printed([event({ status: 500 })], { terminal })

    expect(line.includes('\u001B[31m500')).toBe(coloured)
  })
})
