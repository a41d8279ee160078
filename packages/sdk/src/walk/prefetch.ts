/** Something that was asked for, with the order in which questions went out and answers came in. */
export interface Answer<T> {
  readonly value: T
  readonly askedAt: number
  readonly answeredAt: number
}

/** Pages asked for before their turn. */
export interface Prefetch<T> {
  /** The page whose turn it is; from now on those after it are on their way. */
  readonly take: (page: number) => Promise<Answer<T>>
  /** Asks for a page anew, ahead of all that is asked for before its turn. */
  readonly again: (page: number) => Promise<Answer<T>>
  /** Tells the last page that is worth asking for. */
  readonly expect: (lastPage: number) => void
  /** Begins anew with the first page. */
  readonly restart: () => void
}

const ignore = () => {}

/**
 * Keeps up to `concurrency` pages on their way, in order, and fewer than twice as many on their way or waiting for
 * their turn (`ahead`): who consumes slowly is not overrun. Nothing is asked for once `signal` has fired.
 */
export const createPrefetch = <T>(
  read: (page: number) => Promise<T>,
  first: number,
  concurrency: () => number,
  signal: AbortSignal,
  ahead = () => 2 * concurrency(),
): Prefetch<T> => {
  const asked = new Map<number, Promise<Answer<T>>>()
  const urgent: (() => void)[] = []
  let underWay = 0
  let clock = 0
  let turn = first
  let next = first
  let last = first

  /** Waits for a place among those under way. */
  const enter = async (): Promise<void> => {
    if (underWay < concurrency()) underWay += 1
    else await new Promise<void>((free) => urgent.push(free))
  }

  /** Hands the place on, or gives it back. */
  const leave = (): void => {
    const waiting = urgent.shift()
    if (waiting) return waiting()
    underWay -= 1
    fill()
  }

  const ask = async (page: number): Promise<Answer<T>> => {
    try {
      signal.throwIfAborted()
      const askedAt = (clock += 1)
      const value = await read(page)
      return { value, askedAt, answeredAt: (clock += 1) }
    } finally {
      leave()
    }
  }

  const fill = (): void => {
    while (next <= last && underWay < concurrency() && next < turn + ahead() && !signal.aborted) {
      underWay += 1
      const answer = ask(next)
      answer.catch(ignore) // it is told when its turn comes
      asked.set(next, answer)
      next += 1
    }
  }

  const again = async (page: number): Promise<Answer<T>> => {
    await enter()
    return ask(page)
  }

  return {
    async take(page) {
      signal.throwIfAborted()
      turn = page
      last = Math.max(last, page)
      fill()
      const answer = asked.get(page)
      asked.delete(page)
      if (answer) return answer
      next = Math.max(next, page + 1)
      return again(page)
    },
    again,
    expect(lastPage) {
      last = lastPage
      fill()
    },
    restart() {
      asked.clear()
      turn = next = last = first
    },
  }
}
