import type { Pagination, RefusalCode, Summary, UserGroup } from '../contract/index.ts'
import { ApiError, GuildLedgerError, ResponseValidationError, WalkError } from '../errors/index.ts'
import type { CallOptions, ResponseInfo } from '../transport/index.ts'
import { stampOf, type Stamp } from './stamp.ts'

/** A reply body that can be walked over. */
export interface WalkedPage {
  readonly pagination: Pagination
  readonly summary?: Summary
  readonly response?: ResponseInfo
}

/** What a walk takes from an operation. */
export interface Walkable<Q, P> {
  readonly list: (query: Q, options?: CallOptions) => Promise<P>
  readonly check: (query: Q) => void
  readonly groups: (page: P) => readonly UserGroup[]
  readonly emptyCode: RefusalCode
}

/** A page as a walk looks at it. */
export interface Reading<P> {
  readonly page: number
  /** Undefined where there is no such page. */
  readonly reply: P | undefined
  /** The users on the page; those without transactions are left out. */
  readonly groups: readonly UserGroup[]
  /** Transactions on the page. */
  readonly count: number
  readonly limit: number
  /** Undefined where nothing is told about the whole result. */
  readonly stamp: Stamp | undefined
  /** Number of the last page, as far as this reply knows. */
  readonly lastPage: number
  /** The service's "no transactions found", if that was the answer. */
  readonly refusal: ApiError | undefined
}

// Either number may be wrong, the larger one leads further.
const lastPageOf = ({ total, totalPages, limit }: Pagination) => Math.max(totalPages, Math.ceil(total / (limit || 1)))

const absent = { reply: undefined, groups: [], count: 0, limit: 0, stamp: undefined, lastPage: 0, refusal: undefined }

/** Looks at the reply to the question for `page`. */
const readingOf = <Q, P extends WalkedPage>({ groups }: Walkable<Q, P>, page: number, reply: P): Reading<P> => {
  const { pagination, summary } = reply
  const filled = groups(reply).filter(({ transactions }) => transactions.length > 0)
  const count = filled.reduce((sum, { transactions }) => sum + transactions.length, 0)
  const stamp = stampOf(pagination, summary, count)
  const lastPage = lastPageOf(pagination)
  if (pagination.page !== page && lastPage >= page) {
    const given = `asked for page ${page} of ${lastPage}, the service gave page ${pagination.page}`
    throw new WalkError('walk_stuck', `The walk cannot go on: ${given}. Narrow the query, or raise its limit.`, page)
  }
  // A service that gives the last page there is instead of one beyond it has told that there is no such page.
  if (pagination.page !== page) return { ...absent, page, stamp, lastPage }
  return { page, reply, groups: filled, count, limit: pagination.limit, stamp, lastPage, refusal: undefined }
}

/** The same of a reply that nobody has checked: with `validation` other than `strict` anything may come. */
const readingOfAnything = <Q, P extends WalkedPage>(operation: Walkable<Q, P>, page: number, reply: P): Reading<P> => {
  try {
    return readingOf(operation, page, reply)
  } catch (error) {
    if (GuildLedgerError.is(error)) throw error
    const message = `The walk cannot read page ${page}: it lacks what a walk needs. Report it; validation: 'strict' tells what is wrong.`
    throw new ResponseValidationError(message, [], reply, { cause: error })
  }
}

/** Whether an error is the service's "no transactions found". */
export const isNothingFound = (
  error: unknown,
  { emptyCode }: Pick<Walkable<never, never>, 'emptyCode'>,
): error is ApiError => error instanceof ApiError && error.code === emptyCode

/** Asks for one page. An error carries its number. */
export const readPage = async <Q, P extends WalkedPage>(
  operation: Walkable<Q, P>,
  query: Q,
  page: number,
  options: CallOptions,
): Promise<Reading<P>> => {
  try {
    return readingOfAnything(operation, page, await operation.list({ ...query, page }, options))
  } catch (error) {
    if (GuildLedgerError.is(error)) error.page = page
    if (isNothingFound(error, operation)) return { ...absent, page, refusal: error }
    throw error
  }
}
