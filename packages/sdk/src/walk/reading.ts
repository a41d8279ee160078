import { isObject, type Pagination, type RefusalCode, type Summary, type UserGroup } from '../contract/index.ts'
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

const isGroup = (group: unknown) =>
  isObject(group) && 'transactions' in group && Array.isArray(group.transactions) && group.transactions.every(isObject)

const isPagination = (value: unknown) =>
  isObject(value) && ['page', 'limit', 'total', 'totalPages'].every((name) => Number.isFinite(Reflect.get(value, name)))

/** The users on a page. With `validation` other than `strict` nobody has looked whether there is such a thing. */
export const groupsOf = <P extends WalkedPage>({ groups }: Walkable<never, P>, reply: P): readonly UserGroup[] => {
  const found: unknown = isObject(reply) && isPagination(reply.pagination) && groups(reply)
  if (Array.isArray(found) && found.every(isGroup)) return found as UserGroup[]
  throw new ResponseValidationError(
    "The walk cannot go on: the reply lacks what a walk needs. Report it; validation: 'strict' tells what is wrong.",
    [],
    reply,
  )
}

const absent = { reply: undefined, groups: [], count: 0, limit: 0, stamp: undefined, lastPage: 0, refusal: undefined }

/** Looks at the reply to the question for `page`. */
const readingOf = <Q, P extends WalkedPage>(operation: Walkable<Q, P>, page: number, reply: P): Reading<P> => {
  const filled = groupsOf(operation, reply).filter(({ transactions }) => transactions.length > 0)
  const { pagination, summary } = reply
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
    return readingOf(operation, page, await operation.list({ ...query, page }, options))
  } catch (error) {
    if (GuildLedgerError.is(error)) error.page = page
    if (isNothingFound(error, operation)) return { ...absent, page, refusal: error }
    throw error
  }
}
