// An example of a bot's tests: src/daily-report.ts against the mock, in process, without a network and without real waiting.
// Each test has an isolated guild.
import { createMockLedger, createTransactionFactory, type GuildOptions } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dailyReport, postDaily } from '../src/daily-report.ts'

const dayMs = 24 * 60 * 60 * 1000
const noon = new Date('2026-02-01T12:00:00Z')

// One mock for the whole file, because creating a guild is cheaper than creating a mock.
const mock = createMockLedger({ transactions: 0 })

/** Creates a guild with its own key, transactions, faults, rate limit and log, so that tests can run in any order. */
const createGuild = (options: GuildOptions = {}) => {
  const guild = mock.createGuild({ transactions: 0, rateLimit: 'off', ...options })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })
  return { guild, ledger, transaction: createTransactionFactory() }
}

// The fake clock applies to the SDK and to the mock: rate limit, expiry of keys, scheduled transactions.
beforeEach(() => void vi.useFakeTimers({ now: noon }))
afterEach(() => void vi.useRealTimers())

describe('dailyReport', () => {
  it('the report sums the last 24 hours, without what was before or after', async () => {
    const { guild, ledger, transaction } = createGuild()
    guild.add([
      transaction({ createdAt: '2026-01-31T11:59:59.999Z', total: 1000 }),
      transaction({ createdAt: '2026-01-31T12:00:00.000Z', total: 20, name: 'Shield' }),
      transaction({ createdAt: '2026-02-01T11:59:59.999Z', total: 5, name: 'Iron Sword', quantity: 3 }),
      transaction({ createdAt: '2026-02-01T12:00:00.000Z', total: 1000 }),
    ])

    expect(await dailyReport(ledger, noon)).toBe('2 bought today, total 25.00. Best seller: Iron Sword.')
  })

  it('the report is correct if date bounds are exclusive, which the spec leaves open', async () => {
    const { guild, ledger, transaction } = createGuild({ assumptions: { startDateBound: 'exclusive' } })
    guild.add([transaction({ createdAt: '2026-01-31T12:00:00.000Z', total: 20 })])

    expect(await dailyReport(ledger, noon)).toBe('1 bought today, total 20.00. Best seller: Iron Sword.')
  })

  it('the report is complete if the ledger grows while it is read', async () => {
    const { guild, ledger, transaction } = createGuild()
    const createdAt = '2026-02-01T10:00:00.000Z'
    guild.add(Array.from({ length: 150 }, () => transaction({ createdAt, total: 1 })))
    // Pages are newest first, so transactions added after the first page move all others.
    const late = Array.from({ length: 30 }, () => transaction({ createdAt: '2026-02-01T11:00:00.000Z', total: 1 }))
    guild.schedule(late, { afterRequests: 1 })

    const report = await dailyReport(ledger, noon)

    expect(guild.transactions).toHaveLength(180)
    expect(Number(/^\d+/.exec(report)?.[0])).toBeGreaterThan(149)
  })

  it('the report is retried when the service fails temporarily', async () => {
    const { guild, ledger, transaction } = createGuild()
    guild.add([transaction({ createdAt: '2026-02-01T10:00:00.000Z', total: 20 })])
    guild.fault({ kind: 'internal-error', times: 2 })

    const report = dailyReport(ledger, noon)
    await vi.advanceTimersByTimeAsync(10) // with clientOptions, retries follow at once

    expect(await report).toMatch(/^1 bought today/)
    guild.expectRequests(2, { status: 500 })
    guild.expectRequests(1, { status: 200 })
  })
})

describe('postDaily', () => {
  it('the report is posted once a day until it is stopped', async () => {
    const { guild, ledger, transaction } = createGuild()
    // Added by the clock of the mock.
    guild.schedule([transaction({ createdAt: '2026-02-02T09:00:00.000Z' })], { at: '2026-02-02T09:00:00Z' })
    const posts: string[] = []

    const stop = postDaily(ledger, (text) => posts.push(text))
    await vi.advanceTimersByTimeAsync(2 * dayMs)
    stop()
    await vi.advanceTimersByTimeAsync(2 * dayMs)

    expect(posts).toEqual(['1 bought today, total 10.00. Best seller: Iron Sword.', 'Nothing was bought today.'])
  })

  it('posts continue after a day on which the service was down', async () => {
    const { guild, ledger } = createGuild()
    const posts: string[] = []
    const stop = postDaily(ledger, (text) => posts.push(text))

    guild.fault({ kind: 'reset' })
    await vi.advanceTimersByTimeAsync(1.5 * dayMs)
    guild.clearFaults()
    await vi.advanceTimersByTimeAsync(dayMs)
    stop()

    expect(posts).toEqual(['The ledger cannot be reached right now.', 'Nothing was bought today.'])
  })

  it('an expired key is reported in the post', async () => {
    const { guild } = createGuild({ assumptions: { maxKeysPerGuild: null } })
    const key = guild.createKey({
      name: 'short',
      scopes: ['guild:read'],
      expiresAt: new Date(noon.getTime() + dayMs / 2),
    })
    const ledger = new GuildLedger({ ...guild.clientOptions, apiKey: key.value })
    const posts: string[] = []

    const stop = postDaily(ledger, (text) => posts.push(text))
    await vi.advanceTimersByTimeAsync(1.5 * dayMs)
    stop()

    expect(posts).toEqual(['The bot has lost access to the ledger. A manager has been notified.'])
  })
})

describe('the request log', () => {
  it('a failed expectation lists the requests that were sent instead', async () => {
    const { guild, ledger } = createGuild()
    await dailyReport(ledger, noon)

    // This message appears in the test report.
    const expectation = () => guild.expectRequests(1, { endpoint: 'guild', query: { from: 'shop' } })
    expect(expectation).toThrow(`expected 1 request to guild with from=shop, got 0
1 request of another kind:
  12:00:00.000Z guild?startDate=2026-01-31T11:59:59.000Z&endDate=2026-02-01T12:00:01.000Z&page=1&limit=100 (${guild.keys[0]?.id}) → 404 No transactions found for this guild`)
  })

  it('the audit finds no mistakes of the bot', async () => {
    // Ten requests at once are not above the limit.
    const assumptions = { rateLimitAlgorithm: 'sliding-window' } as const
    const { guild } = createGuild({ transactions: 900, rateLimit: 10, assumptions })
    // With the throttle and the delays of the bot itself.
    const ledger = new GuildLedger({ ...guild.clientOptions, throttle: {}, retry: {} })

    const days = Array.from({ length: 25 }, (_, i) => new Date(noon.getTime() - i * dayMs))
    const reports = Promise.all(days.map((now) => dailyReport(ledger, now)))
    await vi.advanceTimersByTimeAsync(10_000)
    await reports

    // Within the rate limit, no early retries, no duplicate requests, growing delays after failures.
    guild.expectRequests(25)
    expect(guild.audit().flatMap(({ findings }) => findings)).toEqual([])
  })
})
