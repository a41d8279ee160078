import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMockLedger, type Fault, type MockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { createHandlers } from '../src/carriers/msw.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cases, expectedOf, nameOf, seen, type DoorName } from './faults/table.ts'

const list = '/guild/ledger/transactions'

/** The doors, each as a base URL and a `fetch`. */
const doors = {
  'mock.fetch': (mock: MockLedger) => ({ url: mock.origin, fetch: mock.fetch }),
  setupServer: (mock: MockLedger) => {
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
type NodeDoor = keyof typeof doors
const names = Object.keys(doors) as NodeDoor[]

const open = async (name: NodeDoor, fault: Fault, wait?: (ms: number) => Promise<void>) => {
  const mock = createMockLedger({ transactions: 30, rateLimit: 'off', ...(wait && { wait }) })
  mock.guild.fail(fault)
  const door = await doors[name](mock)
  const ask = (init: RequestInit = {}) =>
    door.fetch(door.url + list, { headers: { 'x-api-key': mock.apiKey }, ...init })
  return { mock, ask }
}

describe.each(names)('through %s', (name) => {
  it.each(cases.map((each) => [nameOf(each), each] as const))('%s is shown', async (_name, each) => {
    const mock = createMockLedger()

    expect(await seen(each, mock, await doors[name](mock))).toBe(expectedOf(each, name))
  })

  it('waiting goes by the clock of the mock', async () => {
    const waited: number[] = []
    const fault: Fault = { kind: 'latency', ms: 3_600_000 }
    const { ask } = await open(name, fault, async (ms) => void waited.push(ms))

    expect((await ask()).status).toBe(200)
    expect(waited).toEqual([3_600_000])
  })
})

const columns: readonly DoorName[][] = [['mock.fetch', 'mock.handle'], ['setupServer'], ['setupWorker'], ['real HTTP']]
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const rows = readme.split('\n').map((line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
)

/** What a cell claims: words in code, statuses, and two turns of phrase. */
const claimsOf = (cell: string): string[] => [
  ...[...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
  ...[...cell.matchAll(/status (\d+)/g)].map(([, status = '']) => status),
  ...(cell.includes('own reason') ? ['enough'] : []),
  ...(cell.includes('the call rejects') ? ['no reply'] : []),
]

describe('the table of the README says so', () => {
  it.each(cases.flatMap((each) => (each.row === undefined ? [] : [[each.row, each] as const])))(
    'of %s',
    (row, each) => {
      const [, ...cells] = rows.find(([first]) => first === row) ?? []
      const told = cells.map((cell, i) =>
        claimsOf(cell === 'the same' ? (cells.slice(0, i).findLast((one) => one !== cell) ?? '') : cell),
      )

      expect(told).toHaveLength(4)
      for (const [i, claims] of told.entries()) {
        expect(claims).not.toEqual([])
        for (const door of columns[i] ?? []) for (const claim of claims) expect(expectedOf(each, door)).toContain(claim)
      }
    },
  )
})

const lyingEncoding: Fault = { kind: 'status', status: 200, headers: { 'content-encoding': 'gzip' } }

it('no client that gives up in the middle of a body behind MSW ends the process', { timeout: 30_000 }, async () => {
  const file = join(import.meta.dirname, 'faults/give-up-behind-msw.ts')

  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@guild-ledger/source', file])

  expect(stdout).toBe('20 clients gave up, 20 heard of it, nothing else went wrong\n')
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
    const { ask } = await open('setupServer', { kind: 'truncate', bytes: 0 })

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
  expect(mock.guild.requests).toHaveLength(1)
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
  expect((await there.ask()).status).toBe(421)
  await expect(round.ask()).rejects.toThrow('fetch failed')
})

it('logs what was simulated', async () => {
  const { mock, ask } = await open('mock.fetch', { kind: 'status', status: 503, times: 1 })
  await ask()
  await ask()

  expect(mock.guild.requests.map(({ status, faults }) => [status, faults])).toEqual([
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
