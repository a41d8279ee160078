import type { AssumptionRow } from './row.ts'

const keyRefusal = 'Response for a key that lacks the required scope or has expired: not shown.'
const exceeded = 'Response when the rate limit is exceeded: not shown.'

/** Who is let in and how often, where the document does not say. Spec: Authentication, Errors (Gaps), Limits. */
export const accessRows = {
  expiredKeyStatus: {
    question: keyRefusal,
    readings: [
      [401, 'an expired key is answered 401'],
      [403, 'an expired key is answered 403'],
    ],
  },
  missingScopeStatus: {
    question: keyRefusal,
    readings: [
      [401, 'a key without the scope is answered 401'],
      [403, 'a key without the scope is answered 403'],
    ],
  },
  lapsedSubscriptionStatus: {
    question: 'Response for a guild without an active Developer or Enterprise subscription: not shown.',
    readings: [
      [401, 'its keys are answered 401'],
      [402, 'its keys are answered 402'],
      [403, 'its keys are answered 403'],
    ],
  },
  rateLimitAlgorithm: {
    question: '10 requests per second; how the second is counted: not shown.',
    readings: [
      ['sliding-window', 'no more than 10 in any second'],
      ['fixed-window', 'no more than 10 in each second of the clock'],
      ['token-bucket', '10 tokens, filled up at 10 a second'],
      ['gcra', 'one each tenth of a second, up to 10 at once after a pause'],
    ],
  },
  rateLimitScope: {
    question: 'Scope of the rate limit (per key, guild or address): not shown.',
    readings: [
      ['key', 'each key has its own limit'],
      ['guild', 'all keys of a guild share one'],
      ['address', 'all requests from one network address share one'],
    ],
  },
  rateLimitStatus: {
    question: exceeded,
    readings: [
      [429, 'a request above the limit is answered 429'],
      [503, 'a request above the limit is answered 503'],
    ],
  },
  rateLimitHeaders: {
    question: 'Rate-limit response headers: not shown.',
    readings: [
      ['retry-after', 'a refusal carries Retry-After'],
      ['none', 'nothing tells when to come back'],
      ['x-ratelimit', 'every reply carries X-RateLimit-Limit, -Remaining and -Reset'],
      ['ratelimit', 'every reply carries RateLimit and RateLimit-Policy'],
    ],
  },
  refusalsCount: {
    question: exceeded,
    readings: [
      [false, 'a refused request uses no quota'],
      [true, 'a refused request uses quota like any other'],
    ],
  },
  maxKeysPerGuild: {
    question: 'Maximum number of keys per guild: not shown.',
    default: null,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    orNull: true,
    meaning: 'how many keys a guild may have at once',
  },
} as const satisfies Record<string, AssumptionRow>
