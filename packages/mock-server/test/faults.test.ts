import { getResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMockLedger, type Fault, type MockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { createHandlers } from '../src/carriers/msw.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const list = '/guild/ledger/transactions'

/** The doors, each as a base URL and a `fetch`. */
const doors = {
  'mock.fetch': (mock: MockLedger) => ({ url: mock.origin, fetch: mock.fetch }),
  'MSW in Node': (mock: MockLedger) => {
    const network = setupServer(...mock.handlers)
    network.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => network.close())
    return { url: mock.origin, fetch: globalThis.fetch }
  },
  'real HTTP': async (mock: MockLedger) => {
    const server = await startMockServer({ mock })
    onTestFinished(async () => server.close())
    return { url: server.url, fetch: globalThis.fetch }
  },
}
type DoorName = keyof typeof doors
const names = Object.keys(doors) as DoorName[]

const open = async (name: DoorName, fault: Fault, wait?: (ms: number) => Promise<void>) => {
  const mock = createMockLedger({ transactions: 30, rateLimit: 'off', ...(wait && { wait }) })
  const whole = mock.answer({ method: 'GET', target: list, apiKey: mock.apiKey }).body
  mock.guild.fail(fault)
  const door = await doors[name](mock)
  const ask = (init: RequestInit = {}) =>
    door.fetch(door.url + list, { headers: { 'x-api-key': mock.apiKey }, ...init })
  return { mock, ask, whole }
}

/** How an error shows itself: the code of what caused it, else its own name. */
const shownAs = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  return `${name}: ${message}${cause?.code === undefined ? '' : ` (${cause.code})`}`
}

/** What the client sees: an error before the reply, an error within the body, or all of it. */
const outcome = async (ask: () => Promise<Response>, whole: string): Promise<string> => {
  const response = await ask().catch((error: unknown) => error)
  if (!(response instanceof Response)) return `no reply, ${shownAs(response)}`
  const body = await response.text().catch((error: unknown) => error)
  const about = `${response.status} ${response.headers.get('content-type')}`
  if (typeof body !== 'string') return `${about}, body ${shownAs(body)}`
  return `${about}, ${body === whole ? 'the whole body' : `another body of ${body.length}`}`
}

const json = 'application/json'

/** What every door shows in the same way. */
const alike: [Fault, string][] = [
  [{ kind: 'internal-error' }, `500 ${json}, another body of 64`],
  [{ kind: 'status', status: 418, body: 'short and stout' }, `418 ${json}, another body of 15`],
  [{ kind: 'latency', ms: 20 }, `200 ${json}, the whole body`],
  [{ kind: 'truncate' }, `200 ${json}, body TypeError: terminated (UND_ERR_SOCKET)`],
  [{ kind: 'wrong-content-type' }, '200 text/plain, the whole body'],
  [{ kind: 'html-502' }, '502 text/html, another body of 122'],
  [{ kind: 'slow-body', chunkBytes: 1000, intervalMs: 1 }, `200 ${json}, the whole body`],
  [{ kind: 'schema', field: 'summary.uniqueUsers', value: 'x' }, `200 ${json}, another body of`],
  [{ kind: 'malformed-json' }, `200 ${json}, another body of`],
]

describe.each(names)('through %s', (name) => {
  it.each(alike)('%o is shown', async (fault, expected) => {
    const { ask, whole } = await open(name, fault)

    expect(await outcome(ask, whole)).toContain(expected)
  })

  it('a hanging reply ends when the client gives up', async () => {
    const { ask } = await open(name, { kind: 'hang' })
    const stop = new AbortController()
    const reply = ask({ signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 30)

    await expect(reply).rejects.toThrow('enough')
  })

  it('a redirect is left to the client', async () => {
    const { ask } = await open(name, { kind: 'redirect', location: 'http://127.0.0.1:9/', times: 1 })
    const { status, headers } = await ask({ redirect: 'manual' })

    expect([status, headers.get('location')]).toEqual([302, 'http://127.0.0.1:9/'])
  })

  it('a redirect is an error where the client wants none', async () => {
    const { ask } = await open(name, { kind: 'redirect' })

    await expect(ask({ redirect: 'error' })).rejects.toThrow('fetch failed')
  })

  it('waiting goes by the clock of the mock', async () => {
    const waited: number[] = []
    const fault: Fault = { kind: 'latency', ms: 3_600_000 }
    const { ask } = await open(name, fault, async (ms) => void waited.push(ms))

    expect((await ask()).status).toBe(200)
    expect(waited).toEqual([3_600_000])
  })
})

const lyingEncoding: Fault = { kind: 'status', status: 200, headers: { 'content-encoding': 'gzip' } }

/** What each door can show of the rest, and what it can not. */
describe('differences between doors', () => {
  it.each<[DoorName, Fault, string]>([
    ['mock.fetch', { kind: 'reset' }, 'no reply, TypeError: fetch failed (ECONNRESET)'],
    ['real HTTP', { kind: 'reset' }, 'no reply, TypeError: fetch failed (ECONNRESET)'],
    ['mock.fetch', { kind: 'truncate', bytes: 0 }, `200 ${json}, body TypeError: terminated (UND_ERR_SOCKET)`],
    ['real HTTP', { kind: 'truncate', bytes: 0 }, `200 ${json}, body TypeError: terminated (UND_ERR_SOCKET)`],
    ['MSW in Node', lyingEncoding, '200 application/json, body TypeError: terminated (Z_DATA_ERROR)'],
    ['real HTTP', lyingEncoding, '200 application/json, body TypeError: terminated (Z_DATA_ERROR)'],
    // MSW has one word for all that is wrong with a connection.
    ['MSW in Node', { kind: 'reset' }, 'no reply, TypeError: fetch failed'],
  ])('%s, %o', async (name, fault, expected) => {
    const { ask, whole } = await open(name, fault)

    expect(await outcome(ask, whole)).toBe(expected)
  })
})

it.each<DoorName>(['mock.fetch', 'real HTTP'])('a client can give up in the middle of a body: %s', async (name) => {
  const { ask } = await open(name, { kind: 'slow-body', chunkBytes: 1000, intervalMs: 3_600_000 })
  const stop = new AbortController()
  const response = await ask({ signal: stop.signal })
  const body = response.text()
  stop.abort(new Error('enough'))

  await expect(body).rejects.toThrow('enough')
})

describe('what a door cannot show is said', () => {
  it('mock.fetch', async () => {
    const { ask } = await open('mock.fetch', lyingEncoding)

    await expect(ask()).rejects.toThrow(
      'The failure status with the header content-encoding cannot be shown by mock.fetch: nothing decodes the body, so the client would read it as it is. Use startMockServer',
    )
  })

  it('mock.handle', async () => {
    const { mock } = await open('mock.fetch', lyingEncoding)
    const request = new Request(mock.origin + list, { headers: { 'x-api-key': mock.apiKey } })

    await expect(mock.handle(request)).rejects.toThrow('content-encoding cannot be shown by mock.handle')
  })

  it('MSW in Node, as a reply that no client takes for another failure', async () => {
    const { ask } = await open('MSW in Node', { kind: 'truncate', bytes: 0 })

    const response = await ask()

    expect([response.status, await response.json()]).toEqual([
      501,
      {
        success: false,
        message:
          'The failure truncate before the first byte of the body cannot be shown by setupServer of MSW: MSW sends the status with the first byte, so the client would see a reset. Use truncate with bytes of at least 1, the kind reset, mock.fetch or startMockServer.',
      },
    ])
  })

  it('MSW in a browser, likewise', async () => {
    const { mock } = await open('mock.fetch', lyingEncoding)
    const handlers = createHandlers(mock, mock.origin, http, 'setupWorker of MSW')
    const request = new Request(mock.origin + list, { headers: { 'x-api-key': mock.apiKey } })

    const response = await getResponse([...handlers], request)

    expect(response?.status).toBe(501)
    expect(await response?.text()).toContain('content-encoding cannot be shown by setupWorker of MSW')
  })

  it('mock.answer hands on as data what is not in a body', async () => {
    const { mock } = await open('mock.fetch', { kind: 'reset' })
    const asked = { method: 'GET', target: list, apiKey: mock.apiKey }

    expect(mock.answer(asked)).toMatchObject({ ending: { kind: 'reset' } })
  })
})

it('is late by fake timers too', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { mock, ask } = await open('mock.fetch', { kind: 'latency', ms: 60_000 })
  let arrived = false
  const reply = ask().then(() => (arrived = true))

  await vi.advanceTimersByTimeAsync(59_999)
  expect(arrived).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await reply

  expect(arrived).toBe(true)
  expect(mock.guild.requests).toHaveLength(2)
})

it('a late reply ends when the client gives up', async () => {
  const { ask } = await open('mock.fetch', { kind: 'latency', ms: 3_600_000 })
  const stop = new AbortController()
  const reply = ask({ signal: stop.signal })
  stop.abort(new Error('enough'))

  await expect(reply).rejects.toThrow('enough')
})

it('follows a redirect to itself, and none to elsewhere', async () => {
  const here = await open('mock.fetch', { kind: 'redirect', location: `${list}?limit=1`, times: 1 })
  const there = await open('mock.fetch', { kind: 'redirect', location: 'https://elsewhere.test/', times: 1 })
  const round = await open('mock.fetch', { kind: 'redirect', location: list })

  expect(((await (await here.ask()).json()) as { pagination: unknown }).pagination).toMatchObject({ limit: 1 })
  await expect(there.ask()).rejects.toThrow('mock.fetch answers for https://ledger.test only')
  await expect(round.ask()).rejects.toThrow('fetch failed')
})

it('logs what was simulated', async () => {
  const { mock, ask } = await open('mock.fetch', { kind: 'status', status: 503, times: 1 })
  await ask()
  await ask()

  expect(mock.guild.requests.map(({ status, faults }) => [status, faults])).toEqual([
    [200, undefined],
    [503, ['status']],
    [200, undefined],
  ])
  expect(() => mock.guild.expectRequests(0)).toThrow('503 Simulated by the mock: status 503 (simulated: status)')
})

it('fails until told to recover', async () => {
  const { mock, ask } = await open('mock.fetch', { kind: 'internal-error' })

  expect((await ask()).status).toBe(500)
  mock.guild.recover()
  expect((await ask()).status).toBe(200)
})
