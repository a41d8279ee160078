import type { createAlarm } from '../clock.ts'
import type { Limiter } from '../limiter.ts'
import type { AcquireOptions } from '../throttle.ts'
import type { Waiters } from '../waiters.ts'
import type { RedisSettings } from './options.ts'
import type { Session } from './session.ts'

/** What admission needs, whether Redis responds or not. */
export interface RedisCore {
  readonly settings: RedisSettings
  readonly waiters: Waiters<AcquireOptions>
  readonly limiter: Limiter
  readonly session: Session
  /** Wakes the throttle. */
  readonly alarm: ReturnType<typeof createAlarm>
  /** Lets the next call pass, with a slot that is a lease of this name. */
  grant(lease: string, now: number): void
  /** Returns a lease that no call needs. */
  giveBack(lease: string): void
}
