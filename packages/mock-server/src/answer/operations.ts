import { parameters, type Endpoint, type GuildResponse, type UserResponse } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import type { TransactionStore } from '../store/transactions.ts'
import { guildPage, userPage, type Page } from './pages.ts'
import type { Defaults, ParsedQuery } from './parse-query.ts'

export interface LedgerView {
  readonly transactions: TransactionStore
  readonly assumptions: Assumptions
}

export type Body = GuildResponse | UserResponse

interface Operation {
  readonly defaults: Defaults
  /** One page. `platformId` is the user in the path. */
  page(ledger: LedgerView, parsed: ParsedQuery, platformId: string): Page<Body>
  /** Whether the ledger has nothing to list, whatever the query. */
  hasNone(transactions: TransactionStore, platformId: string): boolean
}

const defaultsOfSpec = Object.fromEntries(
  Object.entries(parameters).map(([name, parameter]) => [name, () => parameter.default]),
) as unknown as Defaults

export const operations: Readonly<Record<Endpoint, Operation>> = {
  guild: {
    defaults: defaultsOfSpec,
    page: ({ transactions, assumptions }, parsed) => guildPage(transactions, parsed, assumptions),
    hasNone: ({ size }) => size === 0,
  },
  user: {
    defaults: {
      page: () => 1,
      limit: ({ userLimit }) => userLimit,
      sortBy: ({ userSortBy }) => userSortBy,
      sortOrder: ({ userSortOrder }) => userSortOrder,
    },
    page: ({ transactions, assumptions }, parsed, platformId) =>
      userPage(transactions, platformId, parsed, assumptions),
    hasNone: (transactions, platformId) => !transactions.users().has(platformId),
  },
}
