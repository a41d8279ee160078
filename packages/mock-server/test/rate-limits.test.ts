/**
 * @proves no call of the SDK fails where the service allows half of the documented rate
 * @against all combinations of its algorithm, its status, its headers, and what it counts
 */
import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => void vi.useRealTimers())

const combinations = ([429, 503] as const).flatMap((rateLimitStatus) =>
  (['retry-after', 'none'] as const).flatMap((rateLimitHeaders) =>
    ([false, true] as const).flatMap((rateLimitedRequestsCount) =>
      (['sliding-window', 'fixed-window', 'token-bucket', 'leaky-bucket'] as const).map(
        (rateLimitAlgorithm): Partial<Assumptions> => ({
          rateLimitStatus,
          rateLimitHeaders,
          rateLimitedRequestsCount,
          rateLimitAlgorithm,
        }),
      ),
    ),
  ),
)

it.each(combinations)(
  'no call fails where the service allows half of the documented rate, with %o',
  async (assumptions) => {
    const mock = createMockLedger({ rateLimit: 5, assumptions })
    await using ledger = new GuildLedger({ ...mock.clientOptions, throttle: {}, retry: {}, logLevel: 'off' })
    const calls = Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => ledger.transactions.list({ limit: 1, page: i + 1 })),
    )

    await vi.advanceTimersByTimeAsync(120_000)

    const results = await calls
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
    const refused = mock.guild.requests.filter(({ status }) => status !== 200)
    expect(refused.length).toBeLessThanOrEqual(20)
  },
)
