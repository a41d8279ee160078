import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { stored } from './check-rows.ts'
import { timeOf } from './instant.ts'
import type { Rows } from './rows.ts'

/** When rows enter the ledger: at a time, some time from now, or once so many more requests have been answered. */
export type When =
  | {
      /** A time on the clock of the mock: a `Date`, or ISO 8601 text. */
      readonly at: Date | string
    }
  | {
      /** Milliseconds from now on the clock of the mock. */
      readonly afterMs: number
    }
  | {
      /** How many requests are answered before. */
      readonly afterRequests: number
    }

interface Arrival {
  readonly rows: readonly LedgerEntry[]
  /** Milliseconds since 1970; Infinity if it waits for requests. */
  readonly at: number
  /** Requests answered by then; Infinity if it waits for a time. */
  readonly answered: number
}

/** What is still to come. */
interface ArrivalsState {
  readonly waiting: readonly Arrival[]
  readonly answered: number
}

/** Rows that are on their way into a ledger. */
export interface Arrivals {
  /**
   * @throws {TypeError} `when` is wrong, a row breaks the contract, or its `transactionId` is taken; then none is scheduled.
   */
  schedule(rows: readonly LedgerEntry[], when: When, now: number): void
  /** Ids of the rows that are waiting. */
  ids(): ReadonlySet<string>
  /** Lets in what is due. */
  arrive(now: number): void
  /** Counts a request whose reply is settled. */
  answered(): void
  state(): ArrivalsState
  restore(state: ArrivalsState): void
}

const count = (name: string, value: number, least: number): number => {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new TypeError(`${name} must be a whole number of at least ${least}, not ${inWords(value)}.`)
}

const dueTime = (when: When, now: number): number => {
  if ('afterMs' in when) return now + count('afterMs', when.afterMs, 0)
  if (!('at' in when)) return Infinity
  const at = timeOf(when.at)
  if (!Number.isNaN(at)) return at
  throw new TypeError(`at must be a date such as '2026-02-01T00:00:00Z', not ${inWords(when.at)}.`)
}

const names = ['at', 'afterMs', 'afterRequests']

const check = (when: When): void => {
  const given = typeof when === 'object' && when !== null ? Object.keys(when) : []
  if (given.length === 1 && names.includes(given[0] ?? '')) return
  throw new TypeError(`When rows arrive is said by one of ${names.join(', ')}, not by ${inWords(given.join(', '))}.`)
}

/** A ledger that grows while it is read. */
export const createArrivals = (rows: Rows): Arrivals => {
  let waiting: readonly Arrival[] = []
  let answered = 0
  const ids = () => new Set(waiting.flatMap((arrival) => arrival.rows.map((row) => row.transactionId)))
  return {
    schedule(given, when, now) {
      check(when)
      rows.check(given, ids())
      const at = dueTime(when, now)
      const due = 'afterRequests' in when ? answered + count('afterRequests', when.afterRequests, 1) : Infinity
      waiting = [...waiting, { rows: stored(given), at, answered: due }]
    },
    ids,
    arrive(now) {
      if (waiting.length === 0) return
      const isDue = (arrival: Arrival) => arrival.at <= now || arrival.answered <= answered
      const due = waiting.filter(isDue).toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at))
      if (due.length === 0) return
      waiting = waiting.filter((arrival) => !isDue(arrival))
      rows.add(due.flatMap((arrival) => arrival.rows))
    },
    answered: () => void answered++,
    state: () => ({ waiting, answered }),
    restore(state) {
      ;({ waiting, answered } = state)
    },
  }
}
