import type { Clock } from '../clock.ts'

const parts = 4

/**
 * Gives `work` so many milliseconds. Counted in four parts, between which replies can come in: a loop that stood still
 * for all that time has not heard the reply that is waiting for it.
 */
export const withTimeout = <T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let left = parts
    let timer: unknown
    const tick = (): void => {
      if (left-- > 0) timer = clock.setTimeout(tick, ms / parts)
      else reject(new Error(`no answer within ${ms} ms`))
    }
    tick()
    work.then(resolve, reject).finally(() => clock.clearTimeout(timer))
  })
