// How a bot's own tests can look: src/daily-report.ts against the mock. Everything is in process: no port, no network,
// no real waiting, and each test has a world of its own.
import { createMockLedger, createTransactionFactory, type GuildOptions } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dailyReport, postDaily } from '../src/daily-report.ts'

const day = 24 * 60 * 60 * 1000
const noon = new Date('2026-02-01T12:00:00Z')

// One mock for the whole file: making one costs more than making a guild in it.
const mock = createMockLedger({ transactions: 0 })

/** A guild with a key, rows, failures, rate limit and log of its own, so tests can run in any order or side by side. */
const privateWorld = (options: GuildOptions = {}) => {
  const guild = mock.createGuild({ transactions: 0, ...options })
  const ledger = new GuildLedger({ apiKey: guild.apiKey, baseUrl: mock.origin, fetch: mock.fetch, logLevel: 'off' })
  return { guild, ledger, transaction: createTransactionFactory() }
}

// The mock goes by the clock of the test: rate limit, expiry of keys, rows that are scheduled. So does the SDK.
beforeEach(() => void vi.useFakeTimers({ now: noon }))
afterEach(() => void vi.useRealTimers())

describe('the report', () => {
  it('adds up the last 24 hours, and nothing before or after', async () => {
    const { guild, ledger, transaction } = privateWorld()
    guild.add([
      transaction({ createdAt: '2026-01-31T11:59:59.999Z', total: 1000 }),
      transaction({ createdAt: '2026-01-31T12:00:00.000Z', total: 20, name: 'Shield' }),
      transaction({ createdAt: '2026-02-01T11:59:59.999Z', total: 5, name: 'Iron Sword', quantity: 3 }),
      transaction({ createdAt: '2026-02-01T12:00:00.000Z', total: 1000 }),
    ])

    expect(await dailyReport(ledger, noon)).toBe('2 bought today, worth 25.00; most of all Iron Sword.')
  })

  it('is right where the document leaves it open whether dates are part of their range', async () => {
    const { guild, ledger, transaction } = privateWorld({ assumptions: { startDateBound: 'exclusive' } })
    guild.add([transaction({ createdAt: '2026-01-31T12:00:00.000Z', total: 20 })])

    expect(await dailyReport(ledger, noon)).toBe('1 bought today, worth 20.00; most of all Iron Sword.')
  })

  it('misses nothing of a ledger that grows while it is read', async () => {
    const { guild, ledger, transaction } = privateWorld()
    const createdAt = '2026-02-01T10:00:00.000Z'
    guild.add(Array.from({ length: 150 }, () => transaction({ createdAt, total: 1 })))
    // Newest first, so what comes in after the first page moves all the others down.
    const late = Array.from({ length: 30 }, () => transaction({ createdAt: '2026-02-01T11:00:00.000Z', total: 1 }))
    guild.schedule(late, { afterRequests: 1 })

    const report = await dailyReport(ledger, noon)

    expect(guild.transactions).toHaveLength(180)
    expect(Number(/^\d+/.exec(report)?.[0])).toBeGreaterThan(149)
  })

  it('asks again when the service fails for a moment', async () => {
    const { guild, ledger, transaction } = privateWorld()
    guild.add([transaction({ createdAt: '2026-02-01T10:00:00.000Z', total: 20 })])
    guild.fail({ kind: 'internal-error', times: 2 })

    const report = dailyReport(ledger, noon)
    await vi.advanceTimersByTimeAsync(2000) // the waits between attempts, in no time

    expect(await report).toMatch(/^1 bought today/)
    guild.expectRequests(2, { status: 500 })
    guild.expectRequests(1, { status: 200 })
  })
})

describe('the daily post', () => {
  it('comes once a day until it is stopped', async () => {
    const { guild, ledger, transaction } = privateWorld()
    // Rows that enter the ledger by the clock, as the days go by.
    guild.schedule([transaction({ createdAt: '2026-02-02T09:00:00.000Z' })], { at: '2026-02-02T09:00:00Z' })
    const posts: string[] = []

    const stop = postDaily(ledger, (text) => posts.push(text))
    await vi.advanceTimersByTimeAsync(2 * day)
    stop()
    await vi.advanceTimersByTimeAsync(2 * day)

    expect(posts).toEqual(['1 bought today, worth 10.00; most of all Iron Sword.', 'Nothing was bought today.'])
  })

  it('goes on after a day on which the service was down', async () => {
    const { guild, ledger } = privateWorld()
    const posts: string[] = []
    const stop = postDaily(ledger, (text) => posts.push(text))

    guild.fail({ kind: 'reset' })
    await vi.advanceTimersByTimeAsync(1.5 * day)
    guild.recover()
    await vi.advanceTimersByTimeAsync(day)
    stop()

    expect(posts).toEqual(['The ledger cannot be reached right now.', 'Nothing was bought today.'])
  })

  it('says so when the key has expired', async () => {
    const { guild } = privateWorld()
    const key = guild.createKey({
      name: 'short',
      scopes: ['guild:read'],
      expiresAt: new Date(noon.getTime() + day / 2),
    })
    const ledger = new GuildLedger({ apiKey: key.value, baseUrl: mock.origin, fetch: mock.fetch })
    const posts: string[] = []

    const stop = postDaily(ledger, (text) => posts.push(text))
    await vi.advanceTimersByTimeAsync(1.5 * day)
    stop()

    expect(posts).toEqual(['The bot has lost access to the ledger. A manager has been told.'])
  })
})

describe('the log of requests', () => {
  it('tells in a failed test what was asked instead', async () => {
    const { guild, ledger } = privateWorld()
    await dailyReport(ledger, noon)

    // Say what you expect; if it is not so, this is what the test report shows.
    const complain = () => guild.expectRequests(1, { endpoint: 'guild', query: { from: 'shop' } })
    expect(complain).toThrow(`expected 1 request to list-all with from=shop, got 0
1 request of another kind:
  12:00:00.000Z list-all?startDate=2026-01-31T11:59:59.000Z&endDate=2026-02-01T12:00:01.000Z&page=1&limit=100 (${guild.keys[0]?.id}) → 404 No transactions found for this guild`)
  })

  it('shows that the bot is a good guest', async () => {
    const { guild, ledger } = privateWorld({ transactions: 900 })

    const days = Array.from({ length: 25 }, (_, i) => new Date(noon.getTime() - i * day))
    const reports = Promise.all(days.map((now) => dailyReport(ledger, now)))
    await vi.advanceTimersByTimeAsync(10_000)
    await reports

    // Not above the rate limit, not back before a refusal allowed it, no page twice, longer waits after failures.
    guild.expectRequests(25)
    expect(guild.conduct().flatMap(({ findings }) => findings)).toEqual([])
  })
})
