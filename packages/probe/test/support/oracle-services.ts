import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '@guild-ledger/mock-server/assumptions'
import { oracle } from '../../../mock-server/test/oracle.ts'
import { createDice, type Respond } from './random-service.ts'

/** A service written from the spec alone, with one behaviour of its own. */
export interface OracleService {
  readonly title: string
  /** Assumptions of which it has no value: none of them may be decided. */
  readonly without: readonly string[]
  /** Values other than the defaults. */
  readonly values?: Record<string, unknown>
  /** Values that describe its behaviour after all. It is created without them. */
  readonly described?: Partial<Assumptions>
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

const responseFrom = ({ status, body }: Page): ReturnType<Respond> => ({ status, body: JSON.stringify(body) })

/** The oracle behind `respond`. */
export const oracleService = (ledger: LedgerEntry[], values: Record<string, unknown>): Respond => {
  const service = plain(ledger, values)
  return (target) => responseFrom(service(parse(target)))
}

/** A service whose requests or responses are changed. */
const changed =
  (
    change: (request: Parsed, next: (request: Parsed) => Page, ledger: LedgerEntry[]) => Page,
    fixed: Record<string, unknown> = {},
  ): OracleService['create'] =>
  (ledger, values) => {
    const service = plain(ledger, { ...values, ...fixed })
    return (target) => responseFrom(change(parse(target), service, ledger))
  }

const changeGroups = (order: (groups: Body['data'], ledger: LedgerEntry[]) => Body['data']): OracleService['create'] =>
  changed((request, next, ledger) => {
    const response = next(request)
    if (response.status === 200 && Array.isArray(response.body.data))
      response.body.data = order(response.body.data, ledger)
    return response
  })

const valueOf = (query: Query, name: string): string | undefined => query.find(([sent]) => sent === name)?.[1]
const leavingOut = (query: Query, name: string): Query => query.filter(([sent]) => sent !== name)

/** Transactions whose times have digits that responses do not show. */
const hiddenDigits: OracleService['create'] = (ledger, values) => {
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
    const query = isRange ? leavingOut(leavingOut(request.query, 'startDate'), 'endDate') : request.query
    return responseFrom(plain(visible, values)({ ...request, query }))
  }
}

let turn = 0
const byTotal = (group: Body['data'][number], ledger: LedgerEntry[]): number =>
  ledger.filter(({ platformId }) => platformId === group.platformId).reduce((sum, { total }) => sum + total, 0)

export const oracleServices: readonly OracleService[] = [
  {
    title: 'rejects invalid parameters with 422',
    without: [],
    described: { invalidParameterStatus: 422 },
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
    without: [],
    described: { groupOrder: 'platform-id-descending' },
    create: changeGroups((groups) => groups.toSorted((a, b) => (a.platformId < b.platformId ? 1 : -1)) as Body['data']),
  },
  {
    title: 'orders groups at random',
    without: ['groupOrder'],
    create: changeGroups((groups) => createDice(++turn).shuffle(groups) as unknown as Body['data']),
  },
  {
    title: 'orders groups by what each user spent in all',
    without: ['groupOrder'],
    create: changeGroups(
      (groups, ledger) => groups.toSorted((a, b) => byTotal(b, ledger) - byTotal(a, ledger)) as Body['data'],
    ),
  },
  {
    title: 'orders ties differently each time',
    without: ['tieOrder'],
    values: { groupOrder: 'platform-id' },
    create: (ledger, values) => (target) => {
      const orders = { tieOrder: 'ledger', groupOrder: 'platform-id' }
      return responseFrom(plain(createDice(++turn).shuffle(ledger), { ...values, ...orders })(parse(target)))
    },
  },
  {
    title: 'matches the beginning of a source',
    without: [],
    described: { sourceMatch: 'prefix' },
    create: (ledger, values) => (target) => {
      const request = parse(target)
      const from = valueOf(request.query, 'from')
      const visible = from === undefined ? ledger : ledger.filter(({ source }) => source.startsWith(from))
      const scope = { ...values, summaryScope: 'match' }
      return responseFrom(plain(visible, scope)({ ...request, query: leavingOut(request.query, 'from') }))
    },
  },
  {
    title: 'clamps limits and rejects dates',
    without: ['invalidParameter'],
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
    without: ['notFoundWhen'],
    create: changed(
      (request, next) => {
        const page = Number(valueOf(request.query, 'page'))
        const first = next({ ...request, query: leavingOut(request.query, 'page') })
        if (!(page > 1) || first.status !== 200 || page <= first.body.pagination.totalPages) return next(request)
        const last = String(first.body.pagination.totalPages)
        return next({ ...request, query: request.query.map(([name, text]) => [name, name === 'page' ? last : text]) })
      },
      { maxPage: null, totalUnit: 'page-unit' },
    ),
  },
  {
    title: 'swaps the ends of an inverted range',
    without: ['invertedRange'],
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
    without: ['totalValueOf'],
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
    without: [],
    described: { nameOrder: 'language' },
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
    without: ['endDateBound', 'startDateBound'],
    described: { dateTimeForms: 'date' },
    create: hiddenDigits,
  },
  {
    title: 'takes dates on the one-user endpoint, though the spec lists none',
    without: ['unlistedParameter'],
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
    without: ['repeatedParameter'],
    create: (ledger, values) => (target) => {
      const request = parse(target)
      const from = request.query.filter(([name]) => name === 'from').map(([, text]) => text)
      const isSeveral = from.length > 1
      const visible = isSeveral ? ledger.filter(({ source }) => from.includes(source)) : ledger
      const query = isSeveral ? leavingOut(request.query, 'from') : request.query
      const own = { sourceMatch: 'exact', summaryScope: 'match', repeatedParameter: 'first' }
      return responseFrom(plain(visible, { ...values, ...own })({ ...request, query }))
    },
  },
  {
    title: 'is two services that take turns',
    without: ['invalidParameter'],
    create: (ledger, values) => (target) => {
      const invalidParameter = ++turn % 2 === 0 ? 'reject' : 'clamp'
      return responseFrom(plain(ledger, { ...values, invalidParameter })(parse(target)))
    },
  },
]
