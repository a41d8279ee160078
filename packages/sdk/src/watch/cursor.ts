import type { LedgerEntry } from '../contract/index.ts'
import { identityOf } from '../pagination/index.ts'

const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?/

/** The time a `createdAt` may mean, in milliseconds since 1970: a whole second if it has no fraction. */
export interface TimestampRange {
  readonly earliest: number
  readonly latest: number
}

/** Parses a `createdAt` in any format that the contract accepts. */
export const timestampRange = (createdAt: string): TimestampRange => {
  const [, toTheSecond = '', fraction] = (typeof createdAt === 'string' && utc.exec(createdAt)) || []
  const second = Date.parse(`${toTheSecond}Z`)
  if (fraction === undefined) return { earliest: second, latest: second + 999 }
  const ms = second + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { earliest: ms, latest: ms }
}

// How far a `createdAt` without a fraction may be before what the service compares.
const secondMs = 1000

/** Where a watch continues. */
export interface Position {
  /** Milliseconds since 1970; null for the beginning. */
  readonly from: number | null
  /** Identities of transactions that were yielded, or are old. */
  readonly seen: readonly string[]
  /** Everything in `seen` was created up to then; Infinity if unknown. */
  readonly until: number
}

/** From when on a watch reads, and what of that it has yielded. */
export interface Cursor {
  readonly position: Position
  /** Starts a poll. `horizon`: the service's own time at its first response; nothing later counts as read. */
  readonly startPoll: (horizon: number) => void
  /** Whether a transaction is one to yield. */
  readonly isNew: (entry: LedgerEntry) => boolean
  /** Whether all that would follow this one, newest first, is older than what is read. */
  readonly isBehind: (entry: LedgerEntry) => boolean
  /** Records a transaction as yielded, or as old. */
  readonly add: (entry: LedgerEntry) => void
  /** Everything was met that was created up to the newest of this poll: what is old enough is forgotten. */
  readonly advance: () => void
  /** The same up to the newest of all polls: this one is complete. */
  readonly endPoll: () => void
}

/**
 * A transaction may appear up to `overlapMs` after it was created. So within a poll the cursor stays so much behind the
 * newest of this poll, and at its end behind the newest of all; and always behind the time at which the poll started,
 * because what appears on a page that was read before is left for the next poll.
 */
export const createCursor = ({ from, seen: restored, until }: Position, overlapMs: number): Cursor => {
  const seen = new Map(restored.map((id) => [id, until]))
  let begin = from
  let newest = -Infinity
  let newestOfPoll = -Infinity
  let horizon = Infinity

  const advanceTo = (time: number) => {
    const reached = Math.min(time, horizon)
    if (reached > -Infinity) begin = Math.max(begin ?? -Infinity, reached - overlapMs)
    const oldest = (begin ?? -Infinity) - 2 * secondMs
    for (const [id, at] of seen) if (at < oldest) seen.delete(id)
  }

  return {
    get position() {
      const latest = [...seen.values()].reduce((most, at) => Math.max(most, at), -Infinity)
      return { from: begin, seen: [...seen.keys()], until: latest === -Infinity ? Infinity : latest }
    },
    startPoll(now) {
      horizon = now
      newestOfPoll = -Infinity
    },
    isNew: (entry) =>
      !seen.has(identityOf(entry)) && (begin === null || timestampRange(entry.createdAt).latest >= begin),
    isBehind: ({ createdAt }) => begin !== null && timestampRange(createdAt).latest + secondMs < begin,
    add(entry) {
      const { earliest } = timestampRange(entry.createdAt)
      seen.set(identityOf(entry), earliest)
      if (Number.isNaN(earliest)) return // else there would never be a newest again
      newestOfPoll = Math.max(newestOfPoll, earliest)
      newest = Math.max(newest, earliest)
    },
    advance: () => advanceTo(newestOfPoll),
    endPoll: () => advanceTo(newest),
  }
}
