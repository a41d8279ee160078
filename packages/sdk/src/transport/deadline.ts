/** A signal that follows another and a clock, until it is ended. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Rejects as soon as the signal fires, for work that does not listen to it. One at a time. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
  /** Removes timer and listener. To be called once the work is over. */
  readonly end: () => void
}

/** Fires when `outer` does, with its reason, or after `ms` milliseconds with the error that `late` makes. */
export const deadline = (outer: AbortSignal | undefined, ms: number | undefined, late: () => Error): Deadline => {
  const controller = new AbortController()
  const { signal } = controller
  let lose: ((reason: unknown) => void) | undefined
  const fire = (reason: unknown) => {
    controller.abort(reason)
    lose?.(signal.reason)
  }
  const follow = () => fire(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })
  const timer = ms === undefined ? undefined : setTimeout(() => fire(late()), ms)

  return {
    signal,
    // Not Promise.race, which takes twice the time of a promise of one's own.
    race: (work) =>
      new Promise((resolve, reject) => {
        lose = reject
        if (signal.aborted) reject(signal.reason)
        work.then(resolve, reject)
      }),
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}

/** Waits `ms` milliseconds, or until `signal` fires. */
export const sleep = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  const limit = deadline(signal, undefined, Error)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await limit.race(
      new Promise<void>((over) => {
        timer = setTimeout(over, ms)
      }),
    )
  } finally {
    clearTimeout(timer)
    limit.end()
  }
}
