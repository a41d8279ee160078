import { limits } from './contract/index.ts'

/** Every default of the package, by the options they belong to. Durations are in milliseconds. */
export const defaults = {
  client: {
    attemptTimeoutMs: 10_000,
    validation: 'strict',
    deduplicate: true,
    maxResponseBytes: 16 * 1024 * 1024,
    logLevel: 'warn',
    priority: 'interactive',
  },
  retry: { maxRetries: 2, maxRateLimitRetries: 10, baseDelayMs: 300, maxDelayMs: 20_000 },
  throttle: {
    requestsPerSecond: limits.requestsPerSecond,
    maxQueue: Infinity,
    marginMs: 2,
    /** Instead of `marginMs` in pages and their workers, whose clocks are coarser. */
    coarseMarginMs: 5,
  },
  redis: { prefix: 'guild-ledger', redisTimeoutMs: 1000, attemptTimeoutMs: 10_000 },
  pagination: { page: limits.minPage, limit: limits.maxLimit, maxConcurrency: 32, retryForMs: 600_000 },
  watch: { intervalMs: 5000, overlapMs: 60_000, retryForMs: 3_600_000 },
} as const satisfies Record<string, Readonly<Record<string, string | number | boolean>>>
