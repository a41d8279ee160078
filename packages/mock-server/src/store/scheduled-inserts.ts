import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { check, integer, quoted, type Checks } from '@guild-ledger/validation'
import { timeOf } from '../date-time.ts'
import { checkedFields } from '../type-error.ts'
import type { TransactionStore } from './transactions.ts'
import { stored } from './validate-transactions.ts'

/** When transactions enter the ledger: at a time, after some time, or after some requests. */
export type Schedule =
  | {
      /** A time on the clock of the mock: a `Date` or an ISO 8601 string. */
      readonly at: Date | string
    }
  | {
      /** Milliseconds from now on the clock of the mock. */
      readonly afterMs: number
    }
  | {
      /** The number of requests that get their responses before. */
      readonly afterRequests: number
    }

interface ScheduledInsert {
  readonly transactions: readonly LedgerEntry[]
  /** Milliseconds since 1970; Infinity if it depends on requests. */
  readonly at: number
  /** The number of responses; Infinity if it depends on the time. */
  readonly responses: number
}

interface ScheduledInsertsState {
  readonly waiting: readonly ScheduledInsert[]
  readonly responses: number
}

const checks = {
  at: quoted(check((value) => !Number.isNaN(timeOf(value)), "a date such as '2026-02-01T00:00:00Z'")),
  afterMs: integer(0),
  afterRequests: integer(1),
} satisfies Checks

/** The fields of a schedule, of which exactly one is given. */
const validated = (when: Schedule): { at?: Date | string; afterMs?: number; afterRequests?: number } => {
  const given = checkedFields(checks, when, { noun: 'field', label: 'schedule' })
  const names = Object.keys(given)
  if (names.length === 1) return given
  const known = Object.keys(checks).join(', ')
  throw new TypeError(`\`schedule\` must have exactly one of ${known}, got ${names.join(', ') || 'none'}`)
}

export type ScheduledInserts = ReturnType<typeof createScheduledInserts>

export const createScheduledInserts = (store: TransactionStore) => {
  let waiting: readonly ScheduledInsert[] = []
  let responses = 0
  const ids = (): ReadonlySet<string> =>
    new Set(waiting.flatMap(({ transactions }) => transactions.map((entry) => entry.transactionId)))
  return {
    schedule(transactions: readonly LedgerEntry[], when: Schedule, now: number): void {
      const { at, afterMs = Infinity, afterRequests = Infinity } = validated(when)
      store.check(transactions, ids())
      const insert = {
        transactions: stored(transactions),
        at: at === undefined ? now + afterMs : timeOf(at),
        responses: responses + afterRequests,
      }
      waiting = [...waiting, insert]
    },
    ids,
    applyDue(now: number): void {
      const isDue = (insert: ScheduledInsert) => insert.at <= now || insert.responses <= responses
      // Infinity - Infinity is NaN, which leaves the order as it is.
      const due = waiting.filter(isDue).toSorted((a, b) => a.at - b.at)
      if (due.length === 0) return
      waiting = waiting.filter((insert) => !isDue(insert))
      store.add(due.flatMap(({ transactions }) => transactions))
    },
    countResponse: () => void responses++,
    state: (): ScheduledInsertsState => ({ waiting, responses }),
    restore(state: ScheduledInsertsState): void {
      ;({ waiting, responses } = state)
    },
  }
}
