import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { oracleService, type OracleService } from './oracle-services.ts'
import type { Respond } from './random-service.ts'

type Json = Record<string, unknown>

const urlOf = (target: string): URL => new URL(target, 'https://ledger.example')

/** Changes the query of each request. */
const withQuery =
  (change: (query: URLSearchParams, isUser: boolean) => void): OracleService['create'] =>
  (ledger, values) => {
    const service = oracleService(ledger, values)
    return (target) => {
      const url = urlOf(target)
      change(url.searchParams, url.pathname.split('/').length > 4)
      return service(url.pathname + url.search)
    }
  }

/** Changes the body of each 200. */
const withBody =
  (
    change: (body: Json & { pagination: Json; summary?: Json }, ledger: LedgerEntry[]) => void,
  ): OracleService['create'] =>
  (ledger, values) => {
    const service = oracleService(ledger, values)
    return (target) => {
      const response = service(target)
      if (response.status !== 200) return response
      const body = JSON.parse(response.body) as Json & { pagination: Json }
      change(body, ledger)
      return { status: 200, body: JSON.stringify(body) }
    }
  }

const hourMs = 3_600_000
const shifted = (text: string, ms: number): string =>
  Number.isNaN(Date.parse(text)) ? text : new Date(Date.parse(text) + ms).toISOString()

/** Services behind something that changes requests or responses, as proxies and rewrites do. */
export const proxiedServices: readonly OracleService[] = [
  {
    title: 'counts pages from 0',
    without: ['maxPage'],
    create: withQuery((query) => {
      const page = Number(query.get('page') ?? 'none')
      if (Number.isInteger(page) && page >= 0) query.set('page', String(page + 1))
    }),
  },
  {
    title: 'takes the times of filters for those of a zone two hours ahead',
    without: ['startDateBound', 'endDateBound'],
    described: { dateTimeForms: 'date' },
    create: withQuery((query) => {
      for (const name of ['startDate', 'endDate']) {
        const text = query.get(name)
        if (text !== null) query.set(name, shifted(text, -2 * hourMs))
      }
    }),
  },
  {
    title: 'has pages of at most 50, whatever the limit',
    without: ['invalidParameter'],
    described: { maxLimit: 50 },
    create: withQuery((query) => {
      const limit = Number(query.get('limit') ?? 'none')
      if (limit > 50) query.set('limit', '50')
    }),
  },
  {
    title: 'shows rounded amounts, and sorts by those that it stores',
    without: [],
    create: (ledger, values) => {
      const stored = ledger.map((entry, i) => ({ ...entry, amount: entry.amount + (((i * 37) % 89) - 44) / 100 }))
      const service = oracleService(stored, values)
      return (target) => {
        const { status, body } = service(target)
        const rounded = (_: string, amount: string) => `"amount":${Math.round(Number(amount))}`
        return { status, body: body.replace(/"amount":([\d.e-]+)/g, rounded) }
      }
    },
  },
  {
    title: 'sorts names in one direction only',
    without: ['nameOrder'],
    create: withQuery((query) => {
      if (query.get('sortBy') === 'name') query.set('sortOrder', 'asc')
    }),
  },
  {
    title: 'stops counting at 100',
    without: [],
    create: withBody((body) => {
      body.pagination['total'] = Math.min(100, Number(body.pagination['total']))
    }),
  },
  {
    title: 'has a summary without the newest transaction',
    without: ['summaryScope'],
    create: withBody((body, ledger) => {
      if (body.summary) body.summary['totalTransactions'] = Math.max(0, ledger.length - 1)
    }),
  },
  {
    title: 'responds with 200 and an error body where nothing is found',
    without: ['notFoundWhen'],
    create: (ledger, values) => {
      const service = oracleService(ledger, values)
      return (target) => {
        const response = service(target)
        return response.status === 404 ? { ...response, status: 200 } : response
      }
    },
  },
  {
    title: 'compares users without regard to case and spaces',
    without: [],
    create: (ledger, values) => {
      const service = oracleService(ledger, values)
      const ids = new Map(ledger.map(({ platformId }) => [platformId.trim().toLowerCase(), platformId]))
      const known = (id: string): string => ids.get(id.trim().toLowerCase()) ?? id
      return (target) => {
        const { pathname, searchParams } = urlOf(target)
        const user = searchParams.get('platformId')
        if (user !== null) searchParams.set('platformId', known(user))
        const parts = pathname.split('/')
        if (parts.length > 4) parts[3] = encodeURIComponent(known(decodeURIComponent(parts[3] ?? '')))
        return service(`${parts.join('/')}?${searchParams.toString()}`)
      }
    },
  },
  {
    title: 'is behind a cache that ignores the order of parameters',
    without: [],
    create: (ledger, values) => {
      const known = new Map<string, { at: number; response: ReturnType<Respond> }>()
      let count = 0
      return (target) => {
        const url = urlOf(target)
        url.searchParams.sort()
        // One transaction enters the ledger with every fifth request.
        const size = Math.min(ledger.length, ledger.length - 20 + Math.floor(++count / 5))
        const fresh = known.get(url.href)
        if (fresh && count - fresh.at < 8) return fresh.response
        const response = oracleService(ledger.slice(0, size), values)(target)
        known.set(url.href, { at: count, response })
        return response
      }
    },
  },
  {
    title: 'has two replicas of which one lags behind',
    without: [],
    create: (ledger, values) => {
      const replicas = [oracleService(ledger, values), oracleService(ledger.slice(0, -1), values)]
      let count = 0
      return (target) => (replicas[++count % 3 === 0 ? 1 : 0] as Respond)(target)
    },
  },
]
