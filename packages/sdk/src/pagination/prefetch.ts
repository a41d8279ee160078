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

/** Pages that wait for their turn have no more characters than this. */
const maxWaiting = 2 * 1024 * 1024

interface Requested<T> {
  readonly fetched: Promise<Fetched<T>>
  /** Characters of the response; undefined as long as it is in flight. */
  length?: number
}

/**
 * Keeps up to `concurrency` pages in flight, in order, and fewer than `ahead` pages in flight or waiting for their turn,
 * so that a slow consumer is not overrun. Large pages count by `lengthOf`, so that fewer of them are kept. Sends nothing
 * once `signal` has fired.
 */
export const createPrefetch = <T>(
  read: (page: number) => Promise<T>,
  first: number,
  concurrency: () => number,
  signal: AbortSignal,
  ahead = () => 2 * concurrency(),
  lengthOf: (value: T) => number = () => 0,
): Prefetch<T> => {
  const requested = new Map<number, Requested<T>>()
  const urgent: (() => void)[] = []
  let inFlight = 0
  let clock = 0
  let turn = first
  let next = first
  let last = first
  let longest = 0

  /** Characters that wait, where those in flight count as `unknown`. */
  const charactersHeld = (unknown: number) => {
    let sum = 0
    for (const { length = unknown } of requested.values()) sum += length
    return sum
  }

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
      const length = lengthOf(value)
      longest = Math.max(longest, length)
      const itself = requested.get(page)
      if (itself) itself.length = length
      // Too much came at once: the page is requested again in its turn.
      if (charactersHeld(0) > maxWaiting) requested.delete(page)
      return { value, sentAt, receivedAt: ++clock }
    } finally {
      leave()
    }
  }

  const fill = (): void => {
    const isRoom = () => charactersHeld(longest) + longest <= maxWaiting
    while (next <= last && inFlight < concurrency() && next < turn + ahead() && isRoom() && !signal.aborted) {
      inFlight++
      const fetched = request(next)
      fetched.catch(ignore) // a failure is thrown when the turn of the page comes
      requested.set(next, { fetched })
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
      const fetched = requested.get(page)?.fetched
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
