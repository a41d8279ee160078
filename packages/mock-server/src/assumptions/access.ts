import type { AssumptionDefinition } from './definition.ts'

const keyRejection = 'Response for a key that lacks the required scope or has expired: not shown.'
const exceeded = 'Response when the rate limit is exceeded: not shown.'

/** Who gets access and how often, where the spec does not say. Spec: Authentication, Errors (Gaps), Limits. */
export const accessAssumptions = {
  expiredKeyStatus: {
    question: keyRejection,
    remedy: 'Treat 401 and 403 the same: the API key cannot be used.',
    shownBy: 'key',
    values: [
      [401, 'an expired key gets 401'],
      [403, 'an expired key gets 403'],
    ],
  },
  missingScopeStatus: {
    question: keyRejection,
    remedy: 'Treat 401 and 403 the same: the API key cannot be used.',
    shownBy: 'key',
    values: [
      [401, 'a key without the scope gets 401'],
      [403, 'a key without the scope gets 403'],
    ],
  },
  lapsedSubscriptionStatus: {
    question: 'Response for a guild without an active Developer or Enterprise subscription: not shown.',
    remedy: 'Treat 401, 402 and 403 the same: the API key cannot be used.',
    shownBy: 'key',
    values: [
      [401, 'its keys get 401'],
      [402, 'its keys get 402'],
      [403, 'its keys get 403'],
    ],
  },
  rateLimitAlgorithm: {
    question: '10 requests per second; how the second is counted: not shown.',
    remedy: 'Keep below the limit with the throttle of the SDK, and retry what exceeds it.',
    shownBy: 'burst',
    values: [
      ['sliding-window', 'no more than 10 in any second'],
      ['fixed-window', 'no more than 10 in each second of the clock'],
      ['token-bucket', '10 tokens, refilled at 10 per second'],
      ['leaky-bucket', 'one request in each tenth of a second, and no burst'],
    ],
  },
  rateLimitScope: {
    question: 'Scope of the rate limit (per key, guild or address): not shown.',
    remedy: 'Share one throttle per guild; if 429 responses continue, share one per network address.',
    shownBy: 'burst',
    values: [
      ['key', 'each key has its own limit'],
      ['guild', 'all keys of a guild share one'],
      ['address', 'all requests from one network address share one'],
    ],
  },
  rateLimitStatus: {
    question: exceeded,
    remedy: 'Retry both 429 and 503, as the SDK does.',
    shownBy: 'burst',
    values: [
      [429, 'a request above the limit gets 429'],
      [503, 'a request above the limit gets 503'],
    ],
  },
  rateLimitHeaders: {
    question: 'Rate-limit response headers: not shown.',
    remedy: 'Wait a second where there is no `Retry-After`; do not depend on any other header.',
    shownBy: 'burst',
    values: [
      ['retry-after', 'a rate-limited response has Retry-After'],
      ['none', 'no header says when to retry'],
      ['x-ratelimit', 'every response has X-RateLimit-Limit, -Remaining and -Reset'],
      ['ratelimit', 'every response has RateLimit and RateLimit-Policy'],
    ],
  },
  rateLimitedRequestsCount: {
    question: exceeded,
    remedy: 'Wait before a retry: a rejected request may count too.',
    shownBy: 'burst',
    values: [
      [false, 'a rate-limited request does not count'],
      [true, 'a rate-limited request counts like any other'],
    ],
  },
  maxKeysPerGuild: {
    question: 'Maximum number of keys per guild: not shown.',
    remedy: 'In tests, create one key per guild, and delete it before you create the next.',
    shownBy: 'dashboard',
    default: null,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    orNull: true,
    tried: [1],
    meaning: 'how many keys a guild may have at once',
  },
} as const satisfies Record<string, AssumptionDefinition>
