import { limits, type Pagination, type RefusalCode } from '../contract/index.ts'
import { ApiError, GuildLedgerError } from '../errors/index.ts'
import type { CallOptions } from '../transport/index.ts'

/** Options of a walk, beside those of each of its calls. */
export interface WalkOptions extends CallOptions {
  /**
   * What a result without any transactions does: ends the walk, or throws the service's "no transactions found".
   *
   * @default 'end'
   */
  readonly onEmpty?: 'end' | 'throw' | undefined
}

interface Walkable<Q, P> {
  readonly list: (query: Q, options?: CallOptions) => Promise<P>
  readonly check: (query: Q) => void
  readonly emptyCode: RefusalCode
}

/**
 * Yields the pages of a query in order, from `query.page` (1 unless given) to the last, asking for each only when it
 * is wanted. Asks for 100 results a page unless told otherwise, and lets interactive calls go first.
 */
export async function* pages<
  Q extends { page?: number | undefined; limit?: number | undefined },
  P extends { pagination: Pagination },
>(
  { list, check, emptyCode }: Walkable<Q, P>,
  query: Q,
  { onEmpty = 'end', ...options }: WalkOptions,
): AsyncGenerator<P, void, void> {
  check(query)
  const first = query.page ?? limits.minPage
  const limit = query.limit ?? limits.maxLimit
  for (let page = first, last = first; page <= last; page += 1) {
    let reply: P
    try {
      reply = await list({ ...query, limit, page }, { priority: 'background', ...options })
    } catch (error) {
      if (onEmpty === 'end' && error instanceof ApiError && error.code === emptyCode) return
      if (GuildLedgerError.is(error)) error.page = page
      throw error
    }
    last = reply.pagination.totalPages
    yield reply
  }
}
