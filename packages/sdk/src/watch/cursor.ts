const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?/

/** The time that a `createdAt` may mean, in milliseconds since 1970: a whole second if it has no fraction. */
export const timestampRange = (createdAt: string): { readonly earliest: number; readonly latest: number } => {
  const [, toTheSecond = '', fraction] = (typeof createdAt === 'string' && utc.exec(createdAt)) || []
  const second = Date.parse(`${toTheSecond}Z`)
  if (fraction === undefined) return { earliest: second, latest: second + 999 }
  const ms = second + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { earliest: ms, latest: ms }
}

/** What can be watched. */
export interface Dated {
  readonly createdAt: string
}

/** Where a watch continues. */
export interface Position {
  /** Milliseconds since 1970; null for the beginning. */
  readonly from: number | null
  /** Identities of transactions created then or later that were yielded, or are old. */
  readonly seen: readonly string[]
}

/**
 * From when on a watch reads, and what of that it has yielded. It stays `overlapMs` behind the newest of a poll, and
 * always behind the start of the poll, because what appears on a page that was read before is left for the next one.
 */
export const createCursor = <Item extends Dated>(
  { from, seen: restored }: Position,
  overlapMs: number,
  identityOf: (item: Item) => string,
) => {
  /** By when each can have been created at the latest: Infinity for those of a checkpoint, until they are met. */
  const seen = new Map(restored.map((id) => [id, Infinity]))
  let begin = from
  let beginOfPoll = from
  let horizon = Infinity
  let most = 0

  const forgetOlder = (): void => {
    for (const [id, latest] of seen) if (begin !== null && latest < begin) seen.delete(id)
    most = 2 * seen.size + 100
  }

  return {
    get position(): Position {
      forgetOlder()
      return { from: begin, seen: [...seen.keys()] }
    },
    /** Starts a poll. `now`: the service's own time at its first response; nothing later counts as read. */
    startPoll(now: number): void {
      horizon = now
      beginOfPoll = begin
    },
    /** Records an item of the poll; whether it is one to yield. The oldest come first. */
    add(item: Item): boolean {
      const id = identityOf(item)
      const { earliest, latest } = timestampRange(item.createdAt)
      const isNew = !seen.has(id) && (beginOfPoll === null || latest >= beginOfPoll)
      seen.set(id, Number.isNaN(latest) ? -Infinity : latest) // one whose date cannot be read is dropped first
      const reached = Math.min(earliest, horizon) - overlapMs
      if (reached > (begin ?? -Infinity)) begin = reached // never, if the date cannot be read
      if (seen.size > most) forgetOlder()
      return isNew
    },
    /** Everything there is was met: a transaction known from a checkpoint that was not will not come again. */
    endPoll(): void {
      for (const [id, latest] of seen) if (latest === Infinity) seen.delete(id)
    },
  }
}

export type Cursor<Item extends Dated> = ReturnType<typeof createCursor<Item>>
