import { conditionsOf, passing, passOf, type Conditions } from './conditions.ts'
import { matchesInList, matchesInRun, type Matches } from './matches.ts'
import { groupsOf, orderOf, valueAtOf } from './order.ts'
import { pageOfSorted, pageOfUnsorted, type Page } from './page.ts'
import { few, indexesOf, lengthOf, narrowed, type Run } from './run.ts'
import type { Filter, Sort, SortField } from './selection.ts'
import type { Table } from './table.ts'

/** The transactions of one table that match a filter. */
export interface TableSelection {
  readonly table: Table
  readonly matches: Matches
  /** The number of users who have a match. */
  countUsers(): number
  /** Their indexes, in order. */
  readonly page: Page
  /** How many of some users have no match. */
  countOthers(platformIds: readonly string[]): number
}

/** The shortest run in the order of a sort that has all matches. */
const runOf = (table: Table, { group, ranges }: Conditions, sort: Sort): Run => {
  const range = ranges.find(({ field }) => field === sort.by)
  const grouped = group && groupsOf(table, group.field, sort)
  const sorted = grouped ?? orderOf(table, sort)
  const from = grouped?.starts[group?.code ?? 0] ?? 0
  const to = grouped?.starts[(group?.code ?? 0) + 1] ?? sorted.indexes.length
  const run = { sorted, from, to }
  return range ? narrowed(run, valueAtOf(table, sort), range.min, range.max) : run
}

type Finding = Pick<TableSelection, 'matches' | 'page'>

/** Finds the matches: from a run that has no others, or else among the fewest transactions that have all of them. */
const findIn = (table: Table, conditions: Conditions, sort: Sort): Finding => {
  const { group, ranges, hasChecks } = conditions
  const runBy = (by: SortField) => runOf(table, conditions, { ...sort, by })
  const rangesBut = (by: SortField) => ranges.filter(({ field }) => field !== by)
  const isExact = (by: SortField) => !hasChecks && rangesBut(by).length === 0

  const ordered = runBy(sort.by)
  if (isExact(sort.by)) {
    const run = ranges.length === 0 ? runBy('createdAt') : ordered
    return { matches: matchesInRun(table, run), page: pageOfSorted(table, indexesOf(ordered), sort) }
  }
  let [run, by] = [ordered, sort.by]
  for (const { field } of lengthOf(ordered) <= few ? [] : rangesBut(sort.by)) {
    const other = runBy(field)
    if (lengthOf(other) < lengthOf(run) || isExact(field)) [run, by] = [other, field]
  }
  const checks = conditions.checks(group?.field)
  const indexes = passing(table, indexesOf(run), rangesBut(by), checks)
  const matches = isExact(by) ? matchesInRun(table, run) : matchesInList(table, indexes)
  if (run === ordered) return { matches, page: pageOfSorted(table, indexes, sort) }
  const pass = passOf(table, rangesBut(sort.by), checks)
  return { matches, page: pageOfUnsorted(table, { matches: indexes, ordered: indexesOf(ordered), pass }, sort) }
}

/** Selects from one table; `undefined` if nothing matches. */
export const selectFrom = (table: Table, filter: Filter, sort: Sort): TableSelection | undefined => {
  const conditions = conditionsOf(table, filter)
  if (!conditions) return undefined
  const { matches, page } = findIn(table, conditions, sort)
  if (matches.total === 0) return undefined
  const isOneUser = filter.some((one) => one.field === 'platformId' && one.match === 'exact')
  return {
    table,
    matches,
    page,
    countUsers: () => (isOneUser ? 1 : matches.countUsers()),
    countOthers(platformIds) {
      const pass = passOf(table, conditions.ranges, conditions.checks())
      const { starts, indexes } = groupsOf(table, 'platformId', { ...sort, by: 'createdAt' })
      return platformIds.filter((platformId) => {
        const code = table.codes('platformId').codeOf.get(platformId)
        return code === undefined || !indexes.subarray(starts[code], starts[code + 1]).some(pass)
      }).length
    },
  }
}
