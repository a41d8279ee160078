import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { GuildLedger, type Checkpoint, type LedgerEntry, type Watch, type WatchOptions } from '@guild-ledger/sdk'
import { cases, entry as entryOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const start = Date.UTC(2026, 0, 31, 10)

beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

const entry = (n: number, at: number, platformId: string): LedgerEntry =>
  entryOf(n, { platformId, createdAt: new Date(at).toISOString() })

const setUp = (assumptions: Partial<Assumptions> = {}) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions })
  const { apiKey, origin: baseUrl } = mock
  /** With the time of the service, as every HTTP server sends it. */
  const fetch: typeof mock.fetch = async (...request) => {
    const response = await mock.fetch(...request)
    response.headers.set('date', new Date().toUTCString())
    return response
  }
  const warn = vi.fn<(line: string) => void>()
  const logger = { debug() {}, info() {}, warn, error() {} }
  const ledger = new GuildLedger({ apiKey, baseUrl, fetch, throttle: false, retry: false, logger })
  return { guild: mock.guild, ledger, warn }
}

type Setting = readonly [way: string, users: number, assumptions: Partial<Assumptions>, ofUser: boolean]
const settings: readonly Setting[] = [
  ['pages of transactions', 50, {}, false],
  ['pages of users', 50, { pageUnit: 'group' }, false],
  ['one transaction for each user', Infinity, { pageUnit: 'group' }, false],
  ['one user', 1, {}, true],
]
const watchOf = (ledger: GuildLedger, ofUser: boolean, options: WatchOptions): Watch =>
  (ofUser ? ledger.user('user 0') : ledger).transactions.watch({}, options)
const stored = ({ checkpoint }: Watch) => JSON.stringify(checkpoint)

it.each(settings)(
  'a checkpoint stays small during a first poll, and can be resumed from each transaction: %s',
  async (_, users, assumptions, ofUser) => {
    const { guild, ledger } = setUp(assumptions)
    const count = cases(1500, 250)
    const since = new Date(start - count * 5000)
    guild.add(Array.from({ length: count }, (__, n) => entry(n, start - (count - n) * 5000, `user ${n % users}`)))
    const checkpoints: string[] = []
    const seen: number[] = []
    const watch = watchOf(ledger, ofUser, { since, follow: false })

    for await (const { amount } of watch) {
      seen.push(amount)
      checkpoints.push(stored(watch))
    }

    expect(seen).toEqual(Array.from({ length: count }, (__, n) => n))
    expect(Math.max(...checkpoints.map((checkpoint) => checkpoint.length))).toBeLessThan(2000)
    for (const n of [0, 1, count / 2 - 1, count - 1]) {
      const rest: number[] = []
      const resumed = watchOf(ledger, ofUser, { since: JSON.parse(checkpoints[n] ?? '') as Checkpoint, follow: false })
      for await (const { amount } of resumed) rest.push(amount)
      expect(rest).toEqual(seen.slice(n + 1))
    }
  },
)

it.each(settings)(
  'a checkpoint does not grow where a watch is started again every 30 s: %s',
  async (_, users, assumptions, ofUser) => {
    const { guild, ledger } = setUp(assumptions)
    const seen: number[] = []
    let checkpoint = stored(watchOf(ledger, ofUser, { since: new Date(start) }))
    let longest = 0
    const runs = cases(250, 50)
    for (let n = 0; n < runs; n++) {
      guild.add([entry(n, Date.now() - (n % 20) * 1000, `user ${n % users}`)])
      const watch = watchOf(ledger, ofUser, { since: JSON.parse(checkpoint) as Checkpoint, follow: false })
      for await (const { amount } of watch) seen.push(amount)
      checkpoint = stored(watch)
      longest = Math.max(longest, (JSON.parse(checkpoint) as Checkpoint).seen.length)
      vi.setSystemTime(Date.now() + 30_000)
    }

    expect(seen).toEqual(Array.from({ length: runs }, (__, n) => n))
    expect(longest).toBeLessThan(6)
  },
)

it('a checkpoint is loaded in the form of an earlier release, which has a date more', async () => {
  const { guild, ledger } = setUp()
  guild.add([entry(1, start - 2000, 'ann'), entry(2, start - 1000, 'ann')])
  const since = {
    version: 1,
    watched: 'https://ledger.test/guild/ledger/transactions',
    from: new Date(start - 60_000).toISOString(),
    seen: [`3:ann:${entry(1, 0, 'ann').transactionId}`],
    until: new Date(start - 2000).toISOString(),
  } as const
  const seen: number[] = []

  for await (const { amount } of ledger.transactions.watch({}, { since, follow: false })) seen.push(amount)

  expect(seen).toEqual([2])
})

it('a checkpoint of another guild yields what this one has since then, and forgets the other one', async () => {
  const { guild, ledger } = setUp()
  guild.add([entry(1, start - 1000, 'ann')])
  const other = setUp()
  other.guild.add([entry(7, start - 2000, 'bob')])
  const watch = other.ledger.transactions.watch({}, { since: new Date(start - 5000), follow: false })
  for await (const _ of watch);
  const seen: number[] = []

  const resumed = ledger.transactions.watch({}, { since: watch.checkpoint, follow: false })
  for await (const { amount } of resumed) seen.push(amount)

  expect(seen).toEqual([1])
  expect(watch.checkpoint.seen).toEqual([`3:bob:${entry(7, 0, 'bob').transactionId}`])
  expect(resumed.checkpoint.seen).toEqual([`3:ann:${entry(1, 0, 'ann').transactionId}`])
})

it('a checkpoint is there from the start, and a watch with it yields what came since, however late', async () => {
  const { guild, ledger } = setUp()
  guild.add([entry(1, start - 61_000, 'ann')])
  const since = ledger.transactions.watch().checkpoint
  guild.add([entry(2, start - 59_000, 'ann'), entry(3, start, 'ann')])
  const seen: number[] = []

  for await (const { amount } of ledger.transactions.watch({}, { since, follow: false })) seen.push(amount)

  expect(seen).toEqual([2, 3])
})

it.each([
  [3_600_000, ["guild-ledger: The watch begins 3600 s later than the service's own time"]],
  [2000, []],
])('a watch warns once where it begins %i ms later than the time of the service: %j', async (aheadMs, expected) => {
  const { guild, ledger, warn } = setUp()
  guild.add([entry(1, start - 1000, 'ann')])

  const watch = ledger.transactions.watch({}, { since: new Date(start + aheadMs) })
  const ended = Array.fromAsync(watch)
  await vi.advanceTimersByTimeAsync(20_000)
  await watch.return?.()
  await ended

  expect(warn.mock.calls.map(([line]) => line.split(',')[0])).toEqual(expected)
})
