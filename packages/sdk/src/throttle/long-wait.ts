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

/** `waitingSince` is since when the first call of the queue waits; `Infinity` if it is empty. */
export const createLongWait = (
  clock: Clock,
  waitingSince: () => number,
  onLongWait: (waitedMs: number) => unknown,
): LongWait => {
  let isReported = false

  const check = (): void => {
    if (isReported) return
    const now = clock.now()
    const since = waitingSince()
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
