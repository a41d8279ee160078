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

/** Identities in the order of their times, so that a copy of them costs little, and those that are old stand first. */
const createIdentities = (restored: readonly string[]) => {
  /** Infinity for those of a checkpoint, until they are met. */
  const times = new Map(restored.map((id) => [id, Infinity]))
  let ids = [...times.keys()]
  /** How many at the beginning of `ids` are dropped. */
  let dropped = 0

  const timeAt = (index: number): number => times.get(ids[index] ?? '') ?? Infinity
  /** The first place, of those from `dropped` on, whose time is not below this. */
  const placeOf = (time: number): number => {
    let [low, high] = [dropped, ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (timeAt(middle) < time) low = middle + 1
      else high = middle
    }
    return low
  }
  const remove = (id: string): void => {
    const known = times.get(id)
    if (known !== undefined) ids.splice(ids.indexOf(id, placeOf(known)), 1)
    times.delete(id)
  }
  return {
    get size(): number {
      return times.size
    },
    has: (id: string): boolean => times.has(id),
    set(id: string, time: number): void {
      if (times.get(id) === time) return
      remove(id)
      const place = placeOf(time + 1) // behind those of the same time
      if (place === ids.length) ids.push(id)
      else ids.splice(place, 0, id)
      times.set(id, time)
    },
    /** Drops those before a time. */
    dropBefore(time: number): void {
      for (; dropped < ids.length && timeAt(dropped) < time; dropped++) times.delete(ids[dropped] ?? '')
      if (2 * dropped < ids.length) return
      ids = ids.slice(dropped)
      dropped = 0
    },
    /** Drops those that were restored and not met. */
    dropUnmet(): void {
      for (const id of ids.splice(placeOf(Infinity))) times.delete(id)
    },
    all: (): string[] => ids.slice(dropped),
  }
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
  /** By when each can have been created at the latest; -Infinity if that cannot be read. */
  const seen = createIdentities(restored)
  let begin = from
  let beginOfPoll = from
  let horizon = Infinity
  let most = 0

  const forgetOlder = (): void => {
    if (begin !== null) seen.dropBefore(begin)
    most = 2 * seen.size + 100
  }

  return {
    get position(): Position {
      forgetOlder()
      return { from: begin, seen: seen.all() }
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
      seen.set(id, Number.isNaN(latest) ? -Infinity : latest)
      const reached = Math.min(earliest, horizon) - overlapMs
      if (reached > (begin ?? -Infinity)) begin = reached // never, if the date cannot be read
      if (seen.size > most) forgetOlder()
      return isNew
    },
    /** Everything there is was met: a transaction known from a checkpoint that was not will not come again. */
    endPoll(): void {
      seen.dropUnmet()
    },
  }
}

export type Cursor<Item extends Dated> = ReturnType<typeof createCursor<Item>>
