/** Whether a request may pass, as a function of the times of those before it. */
export {
  checkedRateLimit,
  createRateLimiter,
  rateLimitCheck,
  rateLimitMessage,
  type RateLimit,
  type RateLimiter,
  type Usages,
} from './rate-limit.ts'
