import { limits, type LedgerEntry } from '../contract/index.ts'
import type { CallOptions } from '../transport/index.ts'
import { batches, groupsOf, isNothingFound, type Batch, type Walkable, type WalkedPage } from '../walk/index.ts'
import { momentOf } from './moment.ts'
import type { Position } from './position.ts'

/** An operation as a watch uses it. */
export interface Watchable<Q, P> extends Walkable<Q, P> {
  /** Whether it can be asked for what was created from a date on. */
  readonly takesDates: boolean
}

/** Query parameters that a watch sets itself. */
export const setByWatch = ['page', 'limit', 'sortBy', 'sortOrder', 'startDate', 'endDate'] as const

/** A query without what a watch sets itself. */
export type Filters<Q> = Omit<Q, (typeof setByWatch)[number]>

interface Added {
  readonly sortBy: 'createdAt'
  readonly sortOrder: 'asc' | 'desc'
  readonly limit?: number
  readonly startDate?: Date | undefined
}

/** A way to look for what is new. */
export interface Source {
  /** When the newest transaction was created, as far as one page shows; undefined where there is none. */
  newest(signal: AbortSignal): Promise<number | undefined>
  /** What is there from the position on, and perhaps some that is older. `eager` where much is expected. */
  look(position: Position, signal: AbortSignal, eager: boolean): AsyncGenerator<Batch, void, void>
}

const createdAt = (entry: { readonly createdAt: string }) => momentOf(entry.createdAt).earliest
const oldestFirst = (rows: readonly LedgerEntry[]) => rows.toSorted((a, b) => createdAt(a) - createdAt(b))

/** Binds an operation and filters. */
export const createSource = <Q extends object, P extends WalkedPage>(
  operation: Watchable<Q, P>,
  filters: Filters<Q>,
  call: CallOptions,
): Source => {
  // Both operations take these, the one with dates also a date; that the two parts make a query is beyond the compiler.
  const queryOf = (added: Added) => ({ ...filters, ...added }) as Added & Q
  const options: CallOptions = { priority: 'background', ...call }

  /** Forwards from a date. One that the service leaves out itself, if it does, is a millisecond before. */
  async function* fromDate({ from }: Position, signal: AbortSignal, eager: boolean): AsyncGenerator<Batch, void, void> {
    const startDate = from === null ? undefined : new Date(from - 1)
    const query = queryOf({ sortBy: 'createdAt', sortOrder: 'asc', startDate })
    for await (const { rows, inOrder } of batches(operation, query, options, signal, eager)) {
      yield { rows: oldestFirst(rows), inOrder }
    }
  }

  /** Back from the newest, until something is older than what is looked for. */
  async function* fromTheNewest(
    position: Position,
    signal: AbortSignal,
    eager: boolean,
  ): AsyncGenerator<Batch, void, void> {
    const found: LedgerEntry[] = []
    const query = queryOf({ sortBy: 'createdAt', sortOrder: 'desc' })
    for await (const { rows } of batches(operation, query, options, signal, eager)) {
      found.push(...rows)
      if (rows.some(position.isBehind)) break
    }
    yield { rows: oldestFirst(found), inOrder: false }
  }

  return {
    look: operation.takesDates ? fromDate : fromTheNewest,
    async newest(signal) {
      const query = queryOf({ sortBy: 'createdAt', sortOrder: 'desc', limit: limits.maxLimit })
      try {
        const page = await operation.list(query, { ...options, signal })
        const times = groupsOf(operation, page)
          .flatMap(({ transactions }) => transactions.map(createdAt))
          .filter(Number.isFinite)
        return times.length > 0 ? Math.max(...times) : undefined
      } catch (error) {
        if (isNothingFound(error, operation)) return undefined
        throw error
      }
    },
  }
}
