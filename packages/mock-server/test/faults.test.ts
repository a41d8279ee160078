/**
 * @proves each fault reaches the client on each adapter of Node, or an error says that it cannot
 * @against a table of what a client sees
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getResponse, http } from 'msw'
import { createMockLedger, type Fault } from '@guild-ledger/mock-server'
import { createHandlers } from '../src/adapters/msw.ts'
import { faultKinds } from '../src/faults/kinds.ts'
import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nodeAdapters } from './node-adapters.ts'
import { cases, expectedOf, nameOf, observe, type AdapterName } from './faults/table.ts'

type NodeAdapter = keyof typeof nodeAdapters
const names = Object.keys(nodeAdapters) as NodeAdapter[]

const open = async (name: NodeAdapter, fault: Fault, wait?: (ms: number) => Promise<void>) => {
  const mock = createMockLedger({ transactions: 30, rateLimit: 'off', ...(wait && { wait }) })
  mock.guild.fault(fault)
  const connection = await nodeAdapters[name](mock)
  const send = (init: RequestInit = {}) =>
    connection.fetch(connection.url + listAll, { headers: { 'x-api-key': mock.apiKey }, ...init })
  return { mock, send }
}

describe.each(names)('faults through %s', (name) => {
  it.each(cases.map((each) => [nameOf(each), each] as const))('%s is shown', async (_name, each) => {
    const mock = createMockLedger()

    expect(await observe(each, mock, await nodeAdapters[name](mock))).toBe(expectedOf(each, name))
  })

  it('wait on the clock of the mock', async () => {
    const waited: number[] = []
    const fault: Fault = { kind: 'latency', ms: 3_600_000 }
    const { send } = await open(name, fault, async (ms) => void waited.push(ms))

    expect((await send()).status).toBe(200)
    expect(waited).toEqual([3_600_000])
  })
})

it('has a case for each kind of fault', () => {
  expect(new Set(cases.map(({ fault }) => fault.kind))).toEqual(new Set(Object.keys(faultKinds)))
})

const columns: readonly AdapterName[][] = [['mock.fetch'], ['setupServer'], ['setupWorker'], ['real HTTP']]
const readme = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8')
const rows = readme.split('\n').map((line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
)

/** What a cell claims: words in code, statuses, and two phrases. */
const claimsOf = (cell: string): string[] => [
  ...[...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
  ...[...cell.matchAll(/status (\d+)/g)].map(([, status = '']) => status),
  ...(cell.includes('own reason') ? ['enough'] : []),
  ...(cell.includes('the call rejects') ? ['no response'] : []),
]

describe('the table of faults in the documentation', () => {
  it.each(cases.flatMap((each) => (each.row === undefined ? [] : [[each.row, each] as const])))(
    'is right about %s',
    (row, each) => {
      const [, ...cells] = rows.find(([first]) => first === row) ?? []
      const claimsOfCells = cells.map((cell, i) =>
        claimsOf(cell === 'the same' ? (cells.slice(0, i).findLast((one) => one !== cell) ?? '') : cell),
      )

      expect(claimsOfCells).toHaveLength(4)
      for (const [i, claims] of claimsOfCells.entries()) {
        expect(claims).not.toEqual([])
        for (const adapter of columns[i] ?? [])
          for (const claim of claims) expect(expectedOf(each, adapter)).toContain(claim)
      }
    },
  )
})

const falseEncoding: Fault = { kind: 'status', status: 200, headers: { 'content-encoding': 'gzip' } }

it('clients that give up in the middle of a body behind MSW do not end the process', async () => {
  const file = join(import.meta.dirname, 'faults/give-up-behind-msw.ts')

  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@guild-ledger/source', file])

  expect(stdout).toBe('20 clients gave up, 20 got an error, nothing else went wrong\n')
})

describe('a fault that an adapter does not support', () => {
  it('rejects through mock.fetch', async () => {
    const { send } = await open('mock.fetch', falseEncoding)

    await expect(send()).rejects.toThrow(
      'The fault status with the header content-encoding is not supported by mock.fetch: nothing decodes the body, so the client would read it as it is. Use startMockServer',
    )
  })

  it('is a 501 through MSW in Node', async () => {
    const { send } = await open('setupServer', { kind: 'truncate', bytes: 0 })

    const response = await send()

    expect([response.status, await response.json()]).toEqual([
      501,
      {
        success: false,
        message:
          'The fault truncate before the first byte of the body is not supported by setupServer of MSW: MSW sends the status with the first byte, so the client would see a reset. Use truncate with bytes of at least 1, the kind reset, mock.fetch or startMockServer.',
      },
    ])
  })

  it('is a 501 through MSW in a browser', async () => {
    const { mock } = await open('mock.fetch', falseEncoding)
    const handlers = createHandlers(mock, mock.origin, http, 'setupWorker of MSW')
    const request = new Request(mock.origin + listAll, { headers: { 'x-api-key': mock.apiKey } })

    const response = await getResponse([...handlers], request)

    expect(response?.status).toBe(501)
    expect(await response?.text()).toContain('content-encoding is not supported by setupWorker of MSW')
  })

  it('is data in what mock.respond returns', async () => {
    const { mock } = await open('mock.fetch', { kind: 'reset' })
    const request = { method: 'GET', target: listAll, apiKey: mock.apiKey }

    expect(mock.respond(request)).toMatchObject({ connectionFault: { kind: 'reset' } })
  })
})

it('a late response waits on fake timers too', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { mock, send } = await open('mock.fetch', { kind: 'latency', ms: 60_000 })
  let received = false
  const response = send().then(() => (received = true))

  await vi.advanceTimersByTimeAsync(59_999)
  expect(received).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await response

  expect(received).toBe(true)
  expect(mock.guild.requests).toHaveLength(1)
})

it('mock.fetch follows a redirect to its own origin, and none to another', async () => {
  const toItself = await open('mock.fetch', { kind: 'redirect', location: `${listAll}?limit=1`, times: 1 })
  const elsewhere = await open('mock.fetch', { kind: 'redirect', location: 'https://elsewhere.test/', times: 1 })
  const endless = await open('mock.fetch', { kind: 'redirect', location: listAll })

  expect(((await (await toItself.send()).json()) as { pagination: unknown }).pagination).toMatchObject({ limit: 1 })
  expect((await elsewhere.send()).status).toBe(421)
  await expect(endless.send()).rejects.toThrow('fetch failed')
})
