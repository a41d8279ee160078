import { sumOf } from '../../store/index.ts'
import { roundSum, type Aspect, type Prediction } from './aspects.ts'
import { Context, keyOf, usersIn, type Setting } from './context.ts'
import { usersOf, type Page } from './cut-page.ts'
import { once, type Item } from './ledger-copy.ts'
import type { Ordered } from './order-items.ts'
import type { Parsed, Read } from './parse-question.ts'
import type { Question } from './question.ts'
import { cached } from './weak-cache.ts'

const isOtherError = (observed: string): boolean => !['200', '400', '404'].includes(observed)

const statusOf = (context: Context): Prediction => {
  const { outcome, read, copy, question } = context
  if (outcome === 'rejected') return '400'
  if (outcome === 'error') return isOtherError
  if (outcome === 'clamped' || outcome === 'unknown') return undefined
  const kindOf = (kind: string): Prediction => {
    const value = read(`notFoundWhen.${kind}`)
    return value === 'other' ? isOtherError : value === 'empty' ? '200' : String(value)
  }
  if (question.user !== null && !copy.byUser.has(question.user)) return kindOf('unknown')
  if (outcome === 'no-match') return kindOf('match')
  const match = context.match(outcome)
  if (!match) return undefined
  if (match.length === 0) return kindOf('match')
  const { page } = outcome
  if (page === 1) return '200'
  return (page - 1) * context.limit(outcome) >= context.units(match) ? kindOf('page') : '200'
}

/** The order of a group on a page as positions in the copy; where ties are not ordered, a test. */
const orderIn = (groups: Iterable<readonly [string, Ordered]>): Prediction => {
  const all = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = (lists: readonly (readonly Item[])[]) => lists.map((items) => items.map(({ index }) => index).join()).join(';')
  if (all.every(([, { blurs }]) => blurs.length === 0)) return text(all.map(([, { items }]) => items))
  const sortBlurs = (lists: number[][]) =>
    lists
      .map((list, i) => {
        const sorted = [...list]
        for (const [start, end] of all[i]?.[1].blurs ?? []) {
          sorted.splice(start, end - start, ...sorted.slice(start, end).toSorted((a, b) => a - b))
        }
        return sorted.join()
      })
      .join(';')
  const expected = sortBlurs(all.map(([, { items }]) => items.map(({ index }) => index)))
  return (observed) => sortBlurs(observed.split(';').map((list) => list.split(',').map(Number))) === expected
}

const orderOfPage = cached((page: Page) => orderIn(page.groups))
const orderOfUser = cached((page: Ordered) => orderIn([['', page]]))

const summaryOf = (context: Context, parsed: Parsed, match: readonly Item[]): readonly Item[] | undefined => {
  const scope = context.read('summaryScope')
  if (scope === 'guild') return context.copy.items
  return scope === 'match' ? match : context.page(parsed, match)?.items
}

const sumTotal = (context: Context, items: readonly Item[], field: 'total' | 'amount'): string =>
  once(context.copy, `sum ${field} ${keyOf(items)}`, () => roundSum(sumOf(items.map(({ entry }) => entry[field]))))

/** What an aspect of a 200 must be. */
const inPage: Readonly<Record<Exclude<Aspect, 'status'>, (context: Context, parsed: Parsed, match: readonly Item[]) => Prediction>> = {
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
    return items && keyOf(items)
  },
  order(context, parsed, match) {
    if (context.isUser) {
      const page = context.userPage(parsed, match)
      return page && orderOfUser(page)
    }
    const page = context.page(parsed, match)
    return page && orderOfPage(page)
  },
  groups(context, parsed, match) {
    if (context.isUser) return undefined
    const page = context.page(parsed, match)
    const users = page && usersOf(context.copy, page, context.read)
    return typeof users === 'function' ? (observed) => users(JSON.parse(observed) as string[]) : users && JSON.stringify(users)
  },
  totalTransactions(context, parsed, match) {
    if (context.isUser) return undefined
    const items = summaryOf(context, parsed, match)
    return items && String(items.length)
  },
  totalValue(context, parsed, match) {
    if (context.isUser) return undefined
    const items = summaryOf(context, parsed, match)
    if (!items) return undefined
    const [total, amount] = [sumTotal(context, items, 'total'), sumTotal(context, items, 'amount')]
    return total !== amount && context.read('totalValueOf') === 'amount' ? amount : total
  },
  uniqueUsers(context, parsed, match) {
    if (context.isUser) return undefined
    const items = summaryOf(context, parsed, match)
    return items && String(usersIn(items))
  },
  createdAtFormat(context, parsed, match) {
    if (match.length === 0) return undefined
    const page = context.isUser ? context.userPage(parsed, match)?.items : undefined
    if (page?.length === 0) return undefined
    return String(context.read('createdAtFormat'))
  },
}

/** What each aspect of the response must be, given the values of a service. */
export const createPrediction = (question: Question, setting: Setting, read: Read): ((aspect: Aspect) => Prediction) => {
  const context = new Context(question, setting, read)
  const { outcome } = context
  return (aspect) => {
    if (aspect === 'status') return statusOf(context)
    if (outcome === 'clamped' && aspect === 'page') {
      const requested = question.parameters.find(([name]) => name === 'page')?.[1]
      return (observed) => observed !== requested
    }
    if (typeof outcome === 'string') return undefined
    const match = context.match(outcome)
    return match && inPage[aspect](context, outcome, match)
  }
}
