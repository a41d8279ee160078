/** Whether a request may pass, as a function of the times of those before it. */
export { createAddressUsages, type AddressUsages } from './address-usages.ts'
export {
  checkedRateLimit,
  createRateLimiter,
  rateLimitCheck,
  rateLimitMessage,
  type RateLimit,
  type RateLimiter,
} from './rate-limit.ts'
