/** A response with the order in which requests were sent and responses arrived. */
export interface Fetched<T> {
  readonly value: T
  readonly sentAt: number
  readonly receivedAt: number
}

/** Requests pages before their turn. */
export interface Prefetch<T> {
  /** Resolves with the page whose turn it is, and from now on prefetches those after it. */
  readonly take: (page: number) => Promise<Fetched<T>>
  /** Requests a page anew, before any further prefetch. */
  readonly again: (page: number) => Promise<Fetched<T>>
  /** Sets the last page that is worth requesting. */
  readonly expect: (lastPage: number) => void
  /** Requests what `ahead` allows by now. */
  readonly fill: () => void
  /** Whether a page was requested before its turn. */
  readonly has: (page: number) => boolean
  /** Starts over with the first page. */
  readonly restart: () => void
}

const ignore = () => {}

/**
 * Keeps up to `concurrency` pages in flight, in order, and fewer than `ahead` pages in flight or waiting for their turn,
 * so that a slow consumer is not overrun. Sends nothing once `signal` has fired.
 */
export const createPrefetch = <T>(
  read: (page: number) => Promise<T>,
  first: number,
  concurrency: () => number,
  signal: AbortSignal,
  ahead = () => 2 * concurrency(),
): Prefetch<T> => {
  const requested = new Map<number, Promise<Fetched<T>>>()
  const urgent: (() => void)[] = []
  let inFlight = 0
  let clock = 0
  let turn = first
  let next = first
  let last = first

  /** Waits for a free place among the requests in flight. */
  const enter = async (): Promise<void> => {
    if (inFlight < concurrency()) inFlight++
    else await new Promise<void>((resolve) => urgent.push(resolve))
  }

  /** Hands the place to the next urgent request, or frees it. */
  const leave = (): void => {
    const waiting = urgent.shift()
    if (waiting) return waiting()
    inFlight--
    fill()
  }

  const request = async (page: number): Promise<Fetched<T>> => {
    try {
      signal.throwIfAborted()
      const sentAt = ++clock
      const value = await read(page)
      return { value, sentAt, receivedAt: ++clock }
    } finally {
      leave()
    }
  }

  const fill = (): void => {
    while (next <= last && inFlight < concurrency() && next < turn + ahead() && !signal.aborted) {
      inFlight++
      const fetched = request(next)
      fetched.catch(ignore) // a failure is thrown when the turn of the page comes
      requested.set(next, fetched)
      next++
    }
  }

  const again = async (page: number): Promise<Fetched<T>> => {
    await enter()
    return request(page)
  }

  return {
    async take(page) {
      signal.throwIfAborted()
      turn = page
      last = Math.max(last, page)
      fill()
      const fetched = requested.get(page)
      requested.delete(page)
      if (fetched) return fetched
      next = Math.max(next, page + 1)
      return again(page)
    },
    again,
    fill,
    has: (page) => requested.has(page),
    expect(lastPage) {
      last = lastPage
      fill()
    },
    restart() {
      requested.clear()
      turn = next = last = first
    },
  }
}
