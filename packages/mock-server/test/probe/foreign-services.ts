import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { oracle } from '../oracle.ts'
import { createDice } from './random-service.ts'
import type { Respond } from './run-inference.ts'

/** Services written from the spec alone, each with one behaviour that no assumption describes. */
export interface ForeignService {
  readonly title: string
  /** The assumptions that must not be decided. */
  readonly affected: readonly string[]
  /** Values other than the defaults. */
  readonly values?: Record<string, unknown>
  readonly create: (ledger: LedgerEntry[], values: Record<string, unknown>) => Respond
}

type Body = {
  success: boolean
  message?: string
  data: { platformId: string; transactions: Record<string, unknown>[] }[] & {
    platformId: string
    transactions: Record<string, unknown>[]
  }
  pagination: { page: number; limit: number; total: number; totalPages: number }
  summary?: { totalTransactions: number; totalValue: number; uniqueUsers: number }
}
interface Page {
  status: number
  body: Body
}
type Query = [name: string, text: string][]
interface Parsed {
  user: string | null
  query: Query
}

const parse = (target: string): Parsed => {
  const [path = '', search = ''] = target.split('?')
  const user = /^\/guild\/ledger\/(?:([^/]+)\/)?transactions$/.exec(path)?.[1]
  return { user: user === undefined ? null : decodeURIComponent(user), query: [...new URLSearchParams(search)] }
}

/** The service as the oracle has it. */
const plain =
  (ledger: LedgerEntry[], values: Record<string, unknown>) =>
  ({ user, query }: Parsed): Page => {
    const { status, body } = oracle(ledger, { user, query }, values)
    const sent: unknown = structuredClone(body ?? { success: false, message: 'Bad request' })
    return { status, body: sent as Body }
  }

/** The oracle behind `respond`. */
export const oracleService = (ledger: LedgerEntry[], values: Record<string, unknown>): Respond => {
  const service = plain(ledger, values)
  return (target) => {
    const { status, body } = service(parse(target))
    return { status, body: JSON.stringify(body) }
  }
}

/** A service whose requests or responses are changed. */
const changed =
  (
    change: (request: Parsed, next: (request: Parsed) => Page, ledger: LedgerEntry[]) => Page,
    fixed: Record<string, unknown> = {},
  ): ForeignService['create'] =>
  (ledger, values) => {
    const service = plain(ledger, { ...values, ...fixed })
    return (target) => {
      const { status, body } = change(parse(target), service, ledger)
      return { status, body: JSON.stringify(body) }
    }
  }

const changeGroups = (order: (groups: Body['data'], ledger: LedgerEntry[]) => Body['data']): ForeignService['create'] =>
  changed((request, next, ledger) => {
    const response = next(request)
    if (response.status === 200 && Array.isArray(response.body.data))
      response.body.data = order(response.body.data, ledger)
    return response
  })

const valueOf = (query: Query, name: string): string | undefined => query.find(([sent]) => sent === name)?.[1]
const without = (query: Query, name: string): Query => query.filter(([sent]) => sent !== name)

/** Transactions whose times have digits that responses do not show. */
const hiddenDigits: ForeignService['create'] = (ledger, values) => {
  const digits = new Map(ledger.map(({ transactionId }, i) => [transactionId, 0.001 * (1 + ((i * 7) % 998))]))
  const inRange = (entry: LedgerEntry, query: Query): boolean => {
    const at = Date.parse(entry.createdAt) + (digits.get(entry.transactionId) ?? 0)
    const [start, end] = [valueOf(query, 'startDate'), valueOf(query, 'endDate')].map((text) => Date.parse(text ?? ''))
    return !(at < (start ?? 0)) && !(at > (end ?? 0))
  }
  return (target) => {
    const request = parse(target)
    const isRange =
      request.user === null &&
      request.query.some(([name, text]) => name.endsWith('Date') && !Number.isNaN(Date.parse(text)))
    const visible = isRange ? ledger.filter((entry) => inRange(entry, request.query)) : ledger
    const query = isRange ? without(without(request.query, 'startDate'), 'endDate') : request.query
    const { status, body } = plain(visible, values)({ ...request, query })
    return { status, body: JSON.stringify(body) }
  }
}

let turn = 0
const byTotal = (group: Body['data'][number], ledger: LedgerEntry[]): number =>
  ledger.filter(({ platformId }) => platformId === group.platformId).reduce((sum, { total }) => sum + total, 0)

export const foreignServices: readonly ForeignService[] = [
  {
    title: 'rejects invalid parameters with 422',
    affected: ['invalidParameter'],
    create: changed(
      (request, next) => {
        const response = next(request)
        return response.status === 400 ? { ...response, status: 422 } : response
      },
      { invalidParameter: 'reject' },
    ),
  },
  {
    title: 'orders groups by descending id',
    affected: ['groupOrder'],
    create: changeGroups((groups) => groups.toSorted((a, b) => (a.platformId < b.platformId ? 1 : -1)) as Body['data']),
  },
  {
    title: 'orders groups at random',
    affected: ['groupOrder'],
    create: changeGroups((groups) => createDice(++turn).shuffle(groups) as unknown as Body['data']),
  },
  {
    title: 'orders groups by what each user spent in all',
    affected: ['groupOrder'],
    create: changeGroups(
      (groups, ledger) => groups.toSorted((a, b) => byTotal(b, ledger) - byTotal(a, ledger)) as Body['data'],
    ),
  },
  {
    title: 'orders ties differently each time',
    affected: ['tieOrder'],
    values: { groupOrder: 'platform-id' },
    create: (ledger, values) => (target) => {
      const { status, body } = plain(createDice(++turn).shuffle(ledger), {
        ...values,
        tieOrder: 'ledger',
        groupOrder: 'platform-id',
      })(parse(target))
      return { status, body: JSON.stringify(body) }
    },
  },
  {
    title: 'matches the beginning of a source',
    affected: ['sourceMatch'],
    create: (ledger, values) => (target) => {
      const request = parse(target)
      const from = valueOf(request.query, 'from')
      const visible = from === undefined ? ledger : ledger.filter(({ source }) => source.startsWith(from))
      const scope = { ...values, summaryScope: 'match' }
      const { status, body } = plain(visible, scope)({ ...request, query: without(request.query, 'from') })
      return { status, body: JSON.stringify(body) }
    },
  },
  {
    title: 'clamps limits and rejects dates',
    affected: ['invalidParameter'],
    create: changed(
      (request, next) => {
        const date = valueOf(request.query, 'startDate') ?? valueOf(request.query, 'endDate')
        const isBad = request.user === null && date !== undefined && Number.isNaN(Date.parse(date))
        return isBad ? { status: 400, body: { success: false, message: 'bad date' } as Body } : next(request)
      },
      { invalidParameter: 'clamp' },
    ),
  },
  {
    title: 'responds to a page after the last with the last page',
    affected: ['notFoundWhen'],
    create: changed(
      (request, next) => {
        const page = Number(valueOf(request.query, 'page'))
        const first = next({ ...request, query: without(request.query, 'page') })
        if (!(page > 1) || first.status !== 200 || page <= first.body.pagination.totalPages) return next(request)
        const last = String(first.body.pagination.totalPages)
        return next({ ...request, query: request.query.map(([name, text]) => [name, name === 'page' ? last : text]) })
      },
      { maxPage: null, totalUnit: 'page-unit' },
    ),
  },
  {
    title: 'swaps the ends of an inverted range',
    affected: ['invertedRange'],
    create: changed((request, next) => {
      const { query } = request
      const swap = (low: string, high: string): Query => {
        const [min, max] = [valueOf(query, low), valueOf(query, high)]
        const [a, b] = low === 'minAmount' ? [Number(min), Number(max)] : [Date.parse(min ?? ''), Date.parse(max ?? '')]
        if (!(a > b)) return query
        return query.map(([name, text]) => [name, name === low ? (max ?? '') : name === high ? (min ?? '') : text])
      }
      const swapped = swap('minAmount', 'maxAmount')
      return next({ ...request, query: swapped === query ? swap('startDate', 'endDate') : swapped })
    }),
  },
  {
    title: 'sums up a mean instead of a total',
    affected: ['totalValueOf'],
    create: changed((request, next) => {
      const response = next(request)
      const { summary } = response.body
      if (response.status === 200 && summary && summary.totalTransactions > 1)
        summary.totalValue = Math.round((summary.totalValue / summary.totalTransactions) * 1000) / 1000 + 0.001
      return response
    }),
  },
  {
    title: 'orders names as people of a locale do',
    affected: ['nameOrder'],
    create: (ledger, values) => {
      const collator = new Intl.Collator('en')
      const ranks = new Map(
        [...new Set(ledger.map(({ name }) => name))]
          .toSorted(collator.compare)
          .map((name, rank) => [name, String(rank + 100)]),
      )
      const named = ledger.map((entry) => ({ ...entry, name: ranks.get(entry.name) ?? '' }))
      const names = new Map(ledger.map(({ transactionId, name }) => [transactionId, name]))
      const service = plain(named, { ...values, nameOrder: 'code-unit' })
      return (target) => {
        const { status, body } = service(parse(target))
        const groups = status !== 200 ? [] : Array.isArray(body.data) ? body.data : [body.data]
        for (const { transactions } of groups)
          for (const one of transactions) one['name'] = names.get(String(one['transactionId']))
        return { status, body: JSON.stringify(body) }
      }
    },
  },
  {
    title: 'stores more digits of a time than it shows',
    affected: ['endDateBound', 'startDateBound'],
    create: hiddenDigits,
  },
  {
    title: 'takes dates on the one-user endpoint, though the spec lists none',
    affected: ['unlistedParameter'],
    create: changed(
      (request, next) => {
        const start = valueOf(request.query, 'startDate')
        if (request.user === null || start === undefined || Date.parse(start) < Date.UTC(2900, 0)) return next(request)
        return { status: 404, body: { success: false, message: 'No transactions found for this user' } as Body }
      },
      { unlistedParameter: 'ignore', notFoundWhen: 'no-match' },
    ),
  },
  {
    title: 'takes any of several sources',
    affected: ['repeatedParameter'],
    create: (ledger, values) => (target) => {
      const request = parse(target)
      const from = request.query.filter(([name]) => name === 'from').map(([, text]) => text)
      const isSeveral = from.length > 1
      const visible = isSeveral ? ledger.filter(({ source }) => from.includes(source)) : ledger
      const query = isSeveral ? without(request.query, 'from') : request.query
      const { status, body } = plain(visible, {
        ...values,
        sourceMatch: 'exact',
        summaryScope: 'match',
        repeatedParameter: 'first',
      })({ ...request, query })
      return { status, body: JSON.stringify(body) }
    },
  },
  {
    title: 'is two services that take turns',
    affected: ['invalidParameter'],
    create: (ledger, values) => (target) => {
      const invalidParameter = ++turn % 2 === 0 ? 'reject' : 'clamp'
      const { status, body } = plain(ledger, { ...values, invalidParameter })(parse(target))
      return { status, body: JSON.stringify(body) }
    },
  },
]
