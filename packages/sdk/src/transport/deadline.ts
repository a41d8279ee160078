/** A timer this late means a standstill: responses may wait in the socket, so they get some time to be seen. */
const standstillMs = 500
const standstillGraceMs = 100

/** Why a signal has fired. Those of older libraries, such as that of React Native, do not say. */
export const abortReason = ({ reason }: AbortSignal): unknown =>
  reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason

/** Fires when `outer` does, with its reason, or after `ms` milliseconds with the error of `toError`; until it is ended. */
export const deadline = (outer: AbortSignal | null | undefined, ms: number | undefined, toError: () => Error) => {
  let fired: { readonly reason: unknown } | undefined
  let rejectRace: ((reason: unknown) => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let held = 0
  let isOver = false
  const fire = (reason: unknown) => {
    fired ??= { reason }
    rejectRace?.(reason)
  }
  const follow = () => outer && fire(abortReason(outer))
  const start = () => {
    if (ms === undefined) return
    const dueAt = performance.now() + ms
    timer = setTimeout(() => {
      const isLate = performance.now() - dueAt > standstillMs
      if (isLate) timer = setTimeout(() => fire(toError()), standstillGraceMs)
      else fire(toError())
    }, ms)
  }
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow)
  start()

  return {
    fire,
    /** Why the deadline fired; undefined before. */
    get fired() {
      return fired
    },
    /** Rejects as soon as the signal fires, even if `work` does not listen to it. One at a time. */
    race: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        rejectRace = reject
        if (fired) reject(fired.reason)
        work.then(resolve, reject)
      }),
    /** Runs a part of the work that is not timed; the time starts anew after it. Rejects once the deadline has ended. */
    async outside<T>(part: () => Promise<T>): Promise<T> {
      if (isOver) throw fired ? fired.reason : toError()
      held++
      clearTimeout(timer)
      try {
        return await part()
      } finally {
        held--
        if (held === 0 && !isOver) start()
      }
    },
    /** Removes timer and listener. Must be called when the work is over. */
    end: () => {
      isOver = true
      rejectRace = undefined // else what was raced for stays in memory
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}

export type Deadline = ReturnType<typeof deadline>

/** Waits `ms` milliseconds, or until `signal` fires. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  const limit = deadline(signal, undefined, Error)
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return limit.race(wait).finally(() => {
    clearTimeout(timer)
    limit.end()
  })
}
