import type { GuildReply, LedgerEntry, Pagination, Summary, Transaction, UserReply } from '@guild-ledger/sdk/contract'
import type { Assumptions } from './assumptions/index.ts'
import type { Wanted } from './parameters.ts'
import { sumOf, type Filter, type Rows, type Selection, type Sort } from './store/index.ts'

const spellings: Record<Assumptions['createdAtFormat'], (createdAt: string) => string> = {
  milliseconds: (createdAt) => createdAt,
  seconds: (createdAt) => `${createdAt.slice(0, 19)}Z`,
  offset: (createdAt) => `${createdAt.slice(0, 23)}+00:00`,
}

/** The documented fields of a transaction, in the document's order. */
const written =
  ({ createdAtFormat }: Assumptions) =>
  ({ transactionId, amount, quantity, name, source, total, createdAt }: LedgerEntry): Transaction => ({
    transactionId,
    amount,
    quantity,
    name,
    source,
    total,
    createdAt: spellings[createdAtFormat](createdAt),
  })

const filterOf = (wanted: Wanted, assumptions: Assumptions): Filter => {
  const { platformId, from, minAmount, maxAmount, startDate, endDate } = wanted
  const { sourceMatch, startDateBound, endDateBound } = assumptions
  return {
    ...(platformId !== undefined && { platformId }),
    ...(from !== undefined && { source: { text: from, match: sourceMatch } }),
    ...(minAmount !== undefined && { minAmount }),
    ...(maxAmount !== undefined && { maxAmount }),
    // Rows are kept to the millisecond, so leaving a bound out is moving it by one.
    ...(startDate !== undefined && { minCreatedAt: startDate + Number(startDateBound === 'exclusive') }),
    ...(endDate !== undefined && { maxCreatedAt: endDate - Number(endDateBound === 'exclusive') }),
  }
}

const sortOf = ({ sortBy, sortOrder }: Wanted, { nameOrder, tieOrder }: Assumptions): Sort => ({
  by: sortBy,
  order: sortOrder,
  names: nameOrder,
  ties: tieOrder,
})

const borders = ({ page, limit }: Wanted): [start: number, end: number] => [(page - 1) * limit, page * limit]

const paginationOf = ({ page, limit }: Wanted, total: number, { emptyTotalPages }: Assumptions): Pagination => ({
  page,
  limit,
  total,
  totalPages: total === 0 ? emptyTotalPages : Math.ceil(total / limit),
})

/** Puts users in order; they come in the order of their first transactions. */
const inGroupOrder = (users: readonly string[], rows: Rows, { groupOrder }: Assumptions): readonly string[] => {
  if (groupOrder === 'first-transaction') return users
  if (groupOrder === 'platform-id') return users.toSorted()
  const ranks = rows.users()
  return users.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
}

interface Group {
  readonly platformId: string
  readonly entries: readonly LedgerEntry[]
}

const groupsOf = (entries: readonly LedgerEntry[], rows: Rows, assumptions: Assumptions): Group[] => {
  const byUser = new Map<string, LedgerEntry[]>()
  for (const entry of entries) {
    const group = byUser.get(entry.platformId)
    if (group) group.push(entry)
    else byUser.set(entry.platformId, [entry])
  }
  return inGroupOrder([...byUser.keys()], rows, assumptions).map((platformId) => ({
    platformId,
    entries: byUser.get(platformId) ?? [],
  }))
}

const summaryOf = (selection: Selection, { totalValueOf }: Assumptions): Summary => ({
  totalTransactions: selection.total,
  totalValue: selection.sum(totalValueOf),
  uniqueUsers: selection.users.length,
})

const summaryOfPage = (groups: readonly Group[], { totalValueOf }: Assumptions): Summary => {
  const entries = groups.flatMap((group) => group.entries)
  return {
    totalTransactions: entries.length,
    totalValue: sumOf(entries.map((entry) => entry[totalValueOf])),
    uniqueUsers: groups.length,
  }
}

/** One page of the guild's transactions, grouped by user. Spec: Endpoints, 1. */
export const guildPage = (rows: Rows, wanted: Wanted, assumptions: Assumptions): GuildReply => {
  const filter = filterOf(wanted, assumptions)
  const sort = sortOf(wanted, assumptions)
  const matching = rows.select(filter, sort)
  const [start, end] = borders(wanted)
  const byGroup = assumptions.pageUnit === 'group'
  const groups = byGroup
    ? inGroupOrder(matching.users, rows, assumptions)
        .slice(start, end)
        .map((platformId) => ({ platformId, entries: rows.select({ ...filter, platformId }, sort).slice(0, Infinity) }))
    : groupsOf(matching.slice(start, end), rows, assumptions)
  const summaries: Record<Assumptions['summaryScope'], () => Summary> = {
    match: () => summaryOf(matching, assumptions),
    guild: () => summaryOf(rows.select({}, sort), assumptions),
    page: () => summaryOfPage(groups, assumptions),
  }
  return {
    success: true,
    data: groups.map(({ platformId, entries }) => ({ platformId, transactions: entries.map(written(assumptions)) })),
    pagination: paginationOf(wanted, byGroup ? matching.users.length : matching.total, assumptions),
    summary: summaries[assumptions.summaryScope](),
  }
}

/** One page of one user's transactions. Spec: Endpoints, 2. */
export const userPage = (rows: Rows, platformId: string, wanted: Wanted, assumptions: Assumptions): UserReply => {
  const matching = rows.select(filterOf({ ...wanted, platformId }, assumptions), sortOf(wanted, assumptions))
  return {
    success: true,
    data: { platformId, transactions: matching.slice(...borders(wanted)).map(written(assumptions)) },
    pagination: paginationOf(wanted, matching.total, assumptions),
  }
}
