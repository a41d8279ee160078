import { sumOf } from '../../store/index.ts'
import { roundSum, type Aspect, type AspectTest, type Prediction } from './aspects.ts'
import { Context, keyOf, usersIn, type Setting } from './context.ts'
import { usersOf, type Page } from './cut-page.ts'
import type { Item } from './ledger-copy.ts'
import type { Ordered } from './order-items.ts'
import type { Parsed, Read } from './parse-request.ts'
import type { ProbeRequest } from './probe-request.ts'
import { cached, keptFor, numberOf } from './kept-results.ts'
import { testOfTies } from './tie-test.ts'

const isOtherError: AspectTest = {
  name: 'other error',
  accepts: (observed) => !['200', '400', '404'].includes(observed),
  example: '422',
}

const isNotRejected: AspectTest = {
  name: 'not rejected',
  accepts: (observed) => observed !== '400',
  example: '404',
}

const statusOf = (context: Context): Prediction => {
  const { outcome, read, copy, request } = context
  if (outcome === 'rejected') return '400'
  if (outcome === 'error') return isOtherError
  if (outcome === 'clamped' || outcome === 'unknown') return undefined
  const kindOf = (kind: string): Prediction => {
    const value = read(`notFoundWhen.${kind}`)
    return value === 'other' ? isOtherError : value === 'empty' ? '200' : String(value)
  }
  if (request.user !== null && !copy.wholeUsers.has(request.user)) return kindOf('unknown')
  // Every value says 404 for an empty ledger: it shows nothing about a filter. What is not rejected gets no 400.
  if (copy.items.length === 0) return isNotRejected
  if (outcome === 'no-match') return kindOf('match')
  const match = context.match(outcome)
  if (!match) return outcome.page === 1 && context.matchesInWindow(outcome) ? '200' : undefined
  if (match.length === 0) return kindOf('match')
  const { page } = outcome
  if (page === 1) return '200'
  return (page - 1) * context.limit(outcome) >= context.units(match) ? kindOf('page') : '200'
}

/** The order of a page as positions in the copy, each user's group by itself. */
const orderIn = (groups: Iterable<readonly [string, Ordered]>): string =>
  [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { items }]) => items.map(({ index }) => index).join())
    .join(';')
const orderOfPage = cached((page: Page) => orderIn(page.groups))
const orderOfUser = cached((page: Ordered) => orderIn([['', page]]))

const namesOf = cached((users: readonly string[]) => JSON.stringify(users))

const summaryOf = (context: Context, parsed: Parsed, match: readonly Item[]): readonly Item[] | undefined => {
  const scope = context.read('summaryScope')
  if (scope === 'guild') return context.copy.window ? undefined : context.copy.items
  return scope === 'match' ? match : context.page(parsed, match)?.items
}

/** A summary of the whole guild, of which only a window is known. */
const atLeast = ({ copy: { window } }: Context, unit: 'transactions' | 'users'): Prediction => {
  const least = window?.least[unit] ?? 0
  return { name: `at least ${least} ${unit}`, accepts: (observed) => Number(observed) >= least, example: String(least) }
}

const sumTotal = (items: readonly Item[], field: 'total' | 'amount'): string =>
  keptFor(items, ['sum', field], () => roundSum(sumOf(items.map(({ entry }) => entry[field]))))

/** What an aspect of a 200 must be. */
const inPage: Readonly<
  Record<Exclude<Aspect, 'status'>, (context: Context, parsed: Parsed, match: readonly Item[]) => Prediction>
> = {
  page: (_, { page }) => String(page),
  limit: (context, parsed) => String(context.limit(parsed)),
  total: (context, _, match) => String(context.total(match)),
  totalPages(context, parsed, match) {
    const total = context.total(match)
    return String(total === 0 ? context.read('emptyTotalPages') : Math.ceil(total / context.limit(parsed)))
  },
  groupCount(context, parsed, match) {
    if (context.isUser) return undefined
    if (match.length === 0) return '0'
    if (context.read('pageUnit') === 'transaction') {
      const page = context.page(parsed, match)
      return page && String(page.groups.size)
    }
    const limit = context.limit(parsed)
    return String(Math.max(0, Math.min(limit, usersIn(match) - (parsed.page - 1) * limit)))
  },
  transactionCount(context, parsed, match) {
    const limit = context.limit(parsed)
    if (context.isUser || match.length === 0 || context.read('pageUnit') === 'transaction') {
      return String(Math.max(0, Math.min(limit, match.length - (parsed.page - 1) * limit)))
    }
    const page = context.page(parsed, match)
    return page && String(page.items.length)
  },
  transactions(context, parsed, match) {
    const items = (context.isUser ? context.userPage(parsed, match) : context.page(parsed, match))?.items
    return items && keyOf(items.length === match.length ? match : items)
  },
  order(context, parsed, match) {
    const whole = context.ordered(parsed, match)
    const limit = context.limit(parsed)
    const slice = () => whole.items.slice((parsed.page - 1) * limit, parsed.page * limit)
    if (context.isUser) {
      const page = context.userPage(parsed, match)
      return page && page.blurs.length === 0 ? orderOfUser(page) : testOfTies(whole, slice(), true)
    }
    if (whole.blurs.length > 0 && match.length > 0 && context.read('pageUnit') === 'transaction') {
      return testOfTies(whole, slice(), false)
    }
    const page = context.page(parsed, match)
    return page && (whole.blurs.length === 0 ? orderOfPage(page) : testOfTies(whole, page.items, false))
  },
  groups(context, parsed, match) {
    if (context.isUser) return undefined
    const page = context.page(parsed, match)
    if (!page) return undefined
    const users = usersOf(context.copy, page, context.read)
    if (typeof users !== 'function') return users && namesOf(users)
    return {
      name: `users ${numberOf(page.ordered)} ${String(context.read('groupOrder'))}`,
      accepts: (observed) => users(JSON.parse(observed) as string[]),
      example: namesOf([...page.groups.keys()]),
    }
  },
  totalTransactions(context, parsed, match) {
    if (context.isUser) return undefined
    if (context.read('summaryScope') === 'page') return inPage.transactionCount(context, parsed, match)
    const items = summaryOf(context, parsed, match)
    return items ? String(items.length) : atLeast(context, 'transactions')
  },
  totalValue(context, parsed, match) {
    if (context.isUser) return undefined
    const items = summaryOf(context, parsed, match)
    if (!items) return undefined
    const [total, amount] = [sumTotal(items, 'total'), sumTotal(items, 'amount')]
    return total !== amount && context.read('totalValueOf') === 'amount' ? amount : total
  },
  uniqueUsers(context, parsed, match) {
    if (context.isUser) return undefined
    if (context.read('summaryScope') === 'page') return inPage.groupCount(context, parsed, match)
    const items = summaryOf(context, parsed, match)
    return items ? String(usersIn(items)) : atLeast(context, 'users')
  },
  createdAtFormat(context, parsed, match) {
    const isAfter = parsed.page > 1 && context.isUser && (parsed.page - 1) * context.limit(parsed) >= match.length
    if (match.length === 0 || isAfter) return undefined
    return String(context.read('createdAtFormat'))
  },
}

const isSome: AspectTest = { name: 'some', accepts: (observed) => Number(observed) > 0, example: '1' }

/** What an aspect must be if it is not known what matches. */
const beyondWindow = (context: Context, parsed: Parsed, aspect: Exclude<Aspect, 'status'>): Prediction => {
  if (aspect === 'page' || aspect === 'limit') return inPage[aspect](context, parsed, [])
  const isFirst = parsed.page === 1 && context.matchesInWindow(parsed)
  return aspect === 'transactionCount' && isFirst ? isSome : undefined
}

/** What each aspect of the response must be, given the values of a service. */
export const createPrediction = (
  request: ProbeRequest,
  setting: Setting,
  read: Read,
): ((aspect: Aspect) => Prediction) => {
  const context = new Context(request, setting, read)
  const { outcome } = context
  return (aspect) => {
    if (aspect === 'status') return statusOf(context)
    if (outcome === 'clamped' && aspect === 'page') {
      const requested = request.parameters.find(([name]) => name === 'page')?.[1]
      return { name: 'another page', accepts: (observed) => observed !== requested, example: '1' }
    }
    if (outcome === 'no-match' && aspect === 'transactionCount') return '0'
    if (typeof outcome === 'string') return undefined
    const match = context.match(outcome)
    if (!match) return beyondWindow(context, outcome, aspect)
    return inPage[aspect](context, outcome, match)
  }
}
