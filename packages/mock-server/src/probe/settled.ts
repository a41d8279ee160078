import type { LedgerCopy } from './model/ledger-copy.ts'
import { observe, type RawResponse } from './model/observe.ts'
import type { ProbeRequest } from './model/probe-request.ts'

const filters = new Set(['platformId', 'from', 'minAmount', 'maxAmount', 'startDate', 'endDate'])

/** Whether a request has a filter. */
export const isFiltered = ({ parameters }: ProbeRequest): boolean => parameters.some(([name]) => filters.has(name))

/**
 * Whether a response shows that nothing entered the ledger since it was copied: its totals count the transactions of the
 * copy, and cannot count anything else, or it has all of them.
 */
export const showsLedger = (request: ProbeRequest, response: RawResponse, copy: LedgerCopy): boolean => {
  if (request.user !== null || copy.window || isFiltered(request)) return false
  const { observation, hasNew } = observe(response, copy)
  const { page, limit, total, totalTransactions, transactionCount } = observation
  const count = String(copy.items.length)
  if (hasNew) return false
  // A total of users is far smaller then. A summary of the page has what the page has.
  const isOfTransactions = total === count && copy.byUser.size * 2 < copy.items.length
  if (isOfTransactions || (totalTransactions === count && transactionCount !== count)) return true
  // A page that is not full has everything.
  return page === '1' && transactionCount === count && copy.items.length < Number(limit)
}

/** Whether a response about a user shows that the user got no transaction: it does not depend on those of others. */
export const showsUser = ({ user, parameters }: ProbeRequest, response: RawResponse, copy: LedgerCopy): boolean => {
  const known = user === null ? undefined : copy.wholeUsers.get(user)
  if (!known || copy.window || parameters.some(([name]) => filters.has(name))) return false
  const { observation, hasNew } = observe(response, copy)
  return !hasNew && observation.total === String(known.length)
}
