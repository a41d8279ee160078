/** Whether a request may pass, as a function of the times of those before it. */
export {
  checkedRateLimit,
  createRateLimiter,
  rateLimitCheck,
  rateLimitMessage,
  type RateLimit,
  type RateLimiter,
} from './rate-limit.ts'
