import { notify } from '../callback.ts'
import { createAlarm, unref, type Clock } from './clock.ts'

/** A waiting call of this age is reported. */
const longWaitMs = 5000

/** Reports a long wait of the calls in a queue, once until the queue was empty. */
export interface LongWait {
  /** A call has joined the queue. */
  begin(): void
  /** The queue is empty. */
  end(): void
}

/** `waitingSince` is since when the first call of the queue waits. */
export const createLongWait = (
  clock: Clock,
  waitingSince: () => number | undefined,
  onLongWait: (waitedMs: number) => unknown,
): LongWait => {
  let isReported = false

  const check = (): void => {
    const since = waitingSince()
    if (since === undefined || isReported) return
    const now = clock.now()
    if (now - since < longWaitMs) return alarm.set(since + longWaitMs, now)
    isReported = true
    notify(onLongWait, now - since)
  }
  const alarm = createAlarm(clock, check, unref)

  return {
    begin: check,
    end() {
      isReported = false
      alarm.set(Infinity, 0)
    },
  }
}
