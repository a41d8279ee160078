export type * from './types.ts'
export { timeNow, timersDieWithRequests, unref } from './clock.ts'
export { throttleChecks, type ThrottleOptions } from './options.ts'
export { createThrottle, sharedThrottle } from './shared.ts'
