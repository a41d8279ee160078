/** Fires with a signal or after a time, until it is ended. */
export interface Deadline {
  /** Fires now. */
  readonly fire: (reason: unknown) => void
  /** Why the deadline fired; undefined before. */
  readonly fired: { readonly reason: unknown } | undefined
  /** Rejects as soon as the signal fires, even if `work` does not listen to it. One at a time. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
  /** Removes timer and listener. Must be called when the work is over. */
  readonly end: () => void
}

/**
 * A timer this late means that the process or its event loop stood still: responses may wait in the socket, so they get
 * some time to be seen.
 */
const standstillMs = 500
const standstillGraceMs = 100

/** Fires when `outer` does, with its reason, or after `ms` milliseconds with the error of `toError`. */
export const deadline = (outer: AbortSignal | undefined, ms: number | undefined, toError: () => Error): Deadline => {
  let fired: Deadline['fired']
  let rejectRace: ((reason: unknown) => void) | undefined
  const fire = (reason: unknown) => {
    fired ??= { reason }
    rejectRace?.(reason)
  }
  const follow = () => fire(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow)
  let timer: ReturnType<typeof setTimeout> | undefined
  if (ms !== undefined) {
    const dueAt = performance.now() + ms
    timer = setTimeout(() => {
      const isLate = performance.now() - dueAt > standstillMs
      if (isLate) timer = setTimeout(() => fire(toError()), standstillGraceMs)
      else fire(toError())
    }, ms)
  }

  return {
    fire,
    get fired() {
      return fired
    },
    // Half the time of Promise.race.
    race: (work) =>
      new Promise((resolve, reject) => {
        rejectRace = reject
        if (fired) reject(fired.reason)
        work.then(resolve, reject)
      }),
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}

/** Runs a part of some work whose time does not count. */
export type Outside = <T>(part: () => Promise<T>) => Promise<T>

/**
 * Rejects as soon as `outer` fires, or `work` has taken longer than `ms` milliseconds, with the error of `toError`. What
 * it runs `outside` does not count, and cannot start any more after that.
 */
export const withinOwnTime = <T>(
  outer: AbortSignal | undefined,
  ms: number,
  toError: () => Error,
  work: (outside: Outside) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    let parts = 0
    let limit: Deadline
    let isOver = false
    const end = () => {
      isOver = true
      limit.end()
    }
    const start = () => {
      limit = deadline(outer, ms, toError)
      limit.race(new Promise<never>(() => {})).catch((reason: unknown) => {
        end()
        reject(reason)
      })
    }
    const outside: Outside = async (part) => {
      if (isOver) throw limit.fired?.reason ?? toError()
      parts++
      limit.end()
      try {
        return await part()
      } finally {
        parts--
        if (parts === 0 && !isOver) start()
      }
    }
    start()
    work(outside).then(resolve, reject).finally(end)
  })

/** Waits `ms` milliseconds, or until `signal` fires. */
export const sleep = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  const limit = deadline(signal, undefined, Error)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await limit.race(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
    )
  } finally {
    clearTimeout(timer)
    limit.end()
  }
}
