export type {
  AcquireOptions,
  Outcome,
  Pace,
  PaceChange,
  Permit,
  Priority,
  Throttle,
  ThrottleStats,
} from './throttle.ts'
export { timersDieWithRequests, unref, type Clock } from './clock.ts'
export { createThrottle } from './in-process.ts'
export { throttleChecks, type Guarantee, type ThrottleOptions } from './options.ts'
export { sharedThrottle, type PreviousThrottle } from './shared.ts'
