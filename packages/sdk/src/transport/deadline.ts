/** A signal that follows another and a clock, until it is ended. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Rejects as soon as the signal fires, for work that does not listen to it. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
  /** Removes timer and listeners. To be called once the work is over. */
  readonly end: () => void
}

/** Fires when `outer` does, with its reason, or after `ms` milliseconds with the error that `late` makes. */
export const deadline = (outer: AbortSignal | undefined, ms: number | undefined, late: () => Error): Deadline => {
  const controller = new AbortController()
  const { signal } = controller
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })
  const timer = ms === undefined ? undefined : setTimeout(() => controller.abort(late()), ms)

  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(signal.reason)
        if (signal.aborted) fail()
        signal.addEventListener('abort', fail, { once: true })
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', fail))
      }),
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}
