export type { AcquireOptions, Outcome, Permit, Priority, Throttle, ThrottleStats } from './throttle.ts'
