import { ignoreRejection } from '../callback.ts'

/** What was read, with the order in which requests were sent and responses arrived. */
export type Fetched<T> = T & { readonly sentAt: number; readonly receivedAt: number }

/** Most memory of pages that wait for their turn, in bytes; a single page may take more. */
const maxBytesAhead = 4 * 1024 * 1024
/** What a page takes for each character of its response: measured was 2.3. */
const bytesPerCharacter = 3

/**
 * Keeps up to `concurrency` pages in flight, in order, fewer than `ahead` with those that wait for their turn, and no more
 * of them than fit into `maxBytesAhead` if each is as large as the largest so far.
 */
export const createPrefetch = <T extends { readonly size: number }>(
  read: (page: number, isAhead: boolean) => Promise<T>,
  concurrency: () => number,
  ahead: () => number,
  signal: AbortSignal,
) => {
  const requested = new Map<number, Promise<Fetched<T>>>()
  const urgent: (() => void)[] = []
  let inFlight = 0
  let largest = 0
  let clock = 0
  let turn = 1
  let next = 1
  let last = 1

  /** Hands the place to the next urgent request, or frees it. */
  const leave = (): void => {
    const waiting = urgent.shift()
    if (waiting) return waiting()
    inFlight--
    fill()
  }

  const request = async (page: number, isAhead: boolean): Promise<Fetched<T>> => {
    try {
      signal.throwIfAborted()
      const sentAt = ++clock
      const result = await read(page, isAhead)
      largest = Math.max(largest, result.size)
      return { ...result, sentAt, receivedAt: ++clock }
    } finally {
      leave()
    }
  }

  /** Whether one page more fits among those that wait, or will. */
  const fits = (): boolean =>
    requested.size === 0 || (requested.size + 1) * largest * bytesPerCharacter <= maxBytesAhead
  /** Requests what `ahead` allows by now. */
  const fill = (): void => {
    while (next <= last && inFlight < concurrency() && next < turn + ahead() && fits() && !signal.aborted) {
      inFlight++
      const fetched = request(next, next > turn)
      ignoreRejection(fetched) // a failure is thrown when the turn of the page comes
      requested.set(next, fetched)
      next++
    }
  }

  /** Requests a page anew, as soon as there is a free place among the requests in flight, before any further prefetch. */
  const again = async (page: number): Promise<Fetched<T>> => {
    if (inFlight < concurrency()) inFlight++
    else await new Promise<void>((resolve) => urgent.push(resolve))
    return request(page, false)
  }

  return {
    /** Resolves with the page whose turn it is, and from now on prefetches those after it. */
    async take(page: number): Promise<Fetched<T>> {
      signal.throwIfAborted()
      turn = page
      last = Math.max(last, page)
      fill()
      const fetched = requested.get(page)
      requested.delete(page)
      fill() // a place has come free
      if (fetched) return fetched
      next = Math.max(next, page + 1)
      return again(page)
    },
    again,
    fill,
    /** Whether a page was requested before its turn. */
    has: (page: number): boolean => requested.has(page),
    /** Sets the last page that is worth requesting. */
    expect(lastPage: number): void {
      last = lastPage
      fill()
    },
    /** Drops what was requested and starts over with this page. */
    restart(page: number): void {
      requested.clear()
      turn = next = last = page
    },
  }
}
