import type {
  GuildResponse,
  LedgerEntry,
  Pagination,
  Summary,
  Transaction,
  UserResponse,
} from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import { sumOf } from '../store/sum.ts'
import type { TransactionStore } from '../store/transactions.ts'
import type { Selection, Sort } from '../store/selection.ts'
import { filterOf } from './filter.ts'
import type { ParsedQuery } from './parse-query.ts'

const createdAtFormats: Record<Assumptions['createdAtFormat'], (createdAt: string) => string> = {
  milliseconds: (createdAt) => createdAt,
  seconds: (createdAt) => `${createdAt.slice(0, 19)}Z`,
  offset: (createdAt) => `${createdAt.slice(0, 23)}+00:00`,
  microseconds: (createdAt) => `${createdAt.slice(0, 23)}000Z`,
}

/** The documented fields of a transaction, in the order of the spec. */
const toResponseFields =
  ({ createdAtFormat }: Assumptions) =>
  ({ transactionId, amount, quantity, name, source, total, createdAt }: LedgerEntry): Transaction => ({
    transactionId,
    amount,
    quantity,
    name,
    source,
    total,
    createdAt: createdAtFormats[createdAtFormat](createdAt),
  })

/** An order for what is counted and added up: ties and names do not matter. */
const counted = ({ sortBy, sortOrder }: ParsedQuery): Sort => ({
  by: sortBy,
  order: sortOrder,
  names: 'code-point',
  ties: 'transaction-id',
})

const sortOf = (parsed: ParsedQuery, assumptions: Assumptions): Sort => ({
  ...counted(parsed),
  ...(parsed.sortBy === 'name' && { names: assumptions.nameOrder }),
  ties: assumptions.tieOrder,
})

const pageBounds = ({ page, limit }: ParsedQuery): [start: number, end: number] => [(page - 1) * limit, page * limit]

const paginationOf = ({ page, limit }: ParsedQuery, total: number, assumptions: Assumptions): Pagination => ({
  page,
  limit,
  total,
  totalPages: total === 0 ? assumptions.emptyTotalPages : Math.ceil(total / limit),
})

type Users = readonly string[]

/** Orders users, who are given in the order of their first transactions. */
const groupOrders: Record<Assumptions['groupOrder'], (users: Users, transactions: TransactionStore) => Users> = {
  'first-transaction': (users) => users,
  'platform-id': (users) => users.toSorted(),
  'platform-id-descending': (users) => users.toSorted().toReversed(),
  ledger(users, transactions) {
    const ranks = transactions.users()
    return users.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
  },
}

const inGroupOrder = (users: Users, transactions: TransactionStore, assumptions: Assumptions): Users =>
  users.length < 2 ? users : groupOrders[assumptions.groupOrder](users, transactions)

interface Group {
  readonly platformId: string
  readonly entries: readonly LedgerEntry[]
}

const summaryOf = (selection: Selection, { totalValueOf }: Assumptions): Summary => ({
  totalTransactions: selection.total,
  totalValue: selection.sum(totalValueOf),
  uniqueUsers: selection.userCount,
})

const summaryOfPage = (groups: readonly Group[], { totalValueOf }: Assumptions): Summary => {
  const entries = groups.flatMap((group) => group.entries)
  return {
    totalTransactions: entries.length,
    totalValue: sumOf(entries.map((entry) => entry[totalValueOf])),
    uniqueUsers: groups.length,
  }
}

export type Part = 'data' | 'pagination' | 'summary'

export interface Page<Body> {
  /** Whether anything matches, on this page or another. */
  readonly hasMatches: boolean
  /** Whether nothing is on the page. */
  readonly isEmpty: boolean
  /** Computes the parts of the body, each for itself: each depends on assumptions of its own. */
  readonly parts: { readonly [Name in Part & keyof Body]: () => Body[Name] }
}

/** One page of the guild's transactions, grouped by user. Spec: Endpoints, 1. */
export const guildPage = (
  transactions: TransactionStore,
  parsed: ParsedQuery,
  assumptions: Assumptions,
): Page<GuildResponse> => {
  const filter = filterOf(parsed, assumptions)
  const matching = transactions.select(filter, counted(parsed))
  const [start, end] = pageBounds(parsed)
  const byGroup = assumptions.pageUnit === 'group'
  const groups = (): Group[] => {
    const sorted = transactions.select(filter, sortOf(parsed, assumptions))
    const inOrder = (users: Users) => inGroupOrder(users, transactions, assumptions)
    const pageUsers = byGroup ? inOrder(sorted.users).slice(start, end) : undefined
    const entries = pageUsers ? sorted.ofUsers(pageUsers) : sorted.slice(start, end)
    const entriesOf = Map.groupBy(entries, ({ platformId }) => platformId)
    const users = pageUsers ?? inOrder([...entriesOf.keys()])
    return users.map((platformId) => ({ platformId, entries: entriesOf.get(platformId) ?? [] }))
  }
  const summaries: Record<Assumptions['summaryScope'], () => Summary> = {
    match: () => summaryOf(matching, assumptions),
    guild: () => summaryOf(transactions.select([], counted(parsed)), assumptions),
    page: () => summaryOfPage(groups(), assumptions),
  }
  return {
    hasMatches: matching.total > 0,
    isEmpty: start >= (byGroup ? matching.userCount : matching.total),
    parts: {
      data: () =>
        groups().map(({ platformId, entries }) => ({
          platformId,
          transactions: entries.map(toResponseFields(assumptions)),
        })),
      pagination() {
        const countsUsers = byGroup === (assumptions.totalUnit === 'page-unit')
        return paginationOf(parsed, countsUsers ? matching.userCount : matching.total, assumptions)
      },
      summary: () => summaries[assumptions.summaryScope](),
    },
  }
}

/** One page of one user's transactions. Spec: Endpoints, 2. */
export const userPage = (
  transactions: TransactionStore,
  platformId: string,
  parsed: ParsedQuery,
  assumptions: Assumptions,
): Page<UserResponse> => {
  const filter = filterOf({ ...parsed, platformId }, assumptions)
  const { total } = transactions.select(filter, counted(parsed))
  const [start, end] = pageBounds(parsed)
  return {
    hasMatches: total > 0,
    isEmpty: start >= total,
    parts: {
      data() {
        const entries = transactions.select(filter, sortOf(parsed, assumptions)).slice(start, end)
        return { platformId, transactions: entries.map(toResponseFields(assumptions)) }
      },
      pagination: () => paginationOf(parsed, total, assumptions),
    },
  }
}
