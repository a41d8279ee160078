import { GuildLedger, type LedgerEntry } from '@guild-ledger/sdk'
import { entry } from '@guild-ledger/test-kit'

/** What the spec leaves open, and what services get wrong. */
export interface ServiceOptions {
  /** What pages are cut of. */
  readonly unit: 'transaction' | 'user'
  /** What `pagination.total` counts. */
  readonly totalUnit: 'transaction' | 'user'
  /** Whether `totalPages` is the number of pages there are, or computed from `total`. */
  readonly totalPages: 'real' | 'from-total'
  /** What the summary covers; `none` is the list of one user. */
  readonly summary: 'match' | 'page' | 'none'
  /** The response to a request for a page without transactions. */
  readonly beyond: 'empty' | '404' | '400' | '422' | 'last-page'
  /** Requests by which counts lag behind; Infinity: they never change. */
  readonly countLag: number
  /** Requests by which every second response lags behind: two replicas. */
  readonly replicaLag: number
  /** Whether equal values come in another order each time. */
  readonly unstableTies: boolean
  /** Which requests (from 1) get an empty page instead. */
  readonly isEmptied: (request: number, page: number) => boolean
  /** By how much `total` is wrong at a request. */
  readonly totalError: (request: number) => number
  /** What the service says instead of a true number of results, in its total and its summary. */
  readonly stated: (count: number, limit: number) => number
  /** Changes the ledger after a request. */
  readonly change: (ledger: LedgerEntry[], request: number) => void
  readonly random: () => number
}

const idealService: ServiceOptions = {
  unit: 'transaction',
  totalUnit: 'transaction',
  totalPages: 'from-total',
  summary: 'match',
  beyond: '404',
  countLag: 0,
  replicaLag: 0,
  unstableTies: false,
  isEmptied: () => false,
  totalError: () => 0,
  stated: (count) => count,
  change: () => {},
  random: () => 0.5,
}

/** The n-th of several transactions: users take turns. */
export const entryOf = (n: number, values: Partial<LedgerEntry> = {}): LedgerEntry =>
  entry(n, { platformId: `user ${n % 7}`, ...values })

/** Transactions by their users. */
export const groupsOf = (entries: readonly LedgerEntry[]) =>
  [...Map.groupBy(entries, ({ platformId }) => platformId)].map(([platformId, ofUser]) => ({
    platformId,
    transactions: ofUser.map(({ platformId: _platformId, ...transaction }) => transaction),
  }))

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

/** A service of the spec in a few lines, which responds to a `fetch` of the client. */
export const createService = (ledger: LedgerEntry[], options: Partial<ServiceOptions> = {}) => {
  const service = { ...idealService, ...options }
  const history: LedgerEntry[][] = []
  const pages: number[] = []
  let first: readonly LedgerEntry[] = []

  const sorted = (entries: readonly LedgerEntry[], query: URLSearchParams) => {
    const field = (query.get('sortBy') ?? 'createdAt') as 'amount' | 'createdAt'
    const direction = query.get('sortOrder') === 'asc' ? 1 : -1
    const ties = new Map(entries.map((one) => [one, service.unstableTies ? service.random() : 0]))
    return entries.toSorted(
      (a, b) =>
        direction * compare(a[field], b[field]) ||
        (ties.get(a) ?? 0) - (ties.get(b) ?? 0) ||
        compare(a.transactionId, b.transactionId),
    )
  }

  const responseTo = (query: URLSearchParams): Response => {
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
    pages.push(page)
    history.push([...ledger])
    if (pages.length === 1) first = [...ledger]
    const asOf = (lag: number) => history.at(-1 - lag) ?? history[0] ?? []
    const replicaLag = pages.length % 2 === 0 ? service.replicaLag : 0
    const view = sorted(asOf(replicaLag), query)
    const counted = asOf(replicaLag + service.countLag)
    const users = [...new Set(view.map(({ platformId }) => platformId))]
    const cut = (n: number) => {
      const isOnPage = (...[, i]: [unknown, number]) => i >= (n - 1) * limit && i < n * limit
      if (service.unit === 'transaction') return view.filter(isOnPage)
      const onPage = new Set(users.filter(isOnPage))
      return view.filter(({ platformId }) => onPage.has(platformId))
    }
    const stated = (count: number) => Math.max(0, service.stated(count, limit))
    const usersOf = (some: readonly LedgerEntry[]) => new Set(some.map(({ platformId }) => platformId)).size
    const counts = { transaction: stated(counted.length), user: stated(usersOf(counted)) }
    const total = Math.max(0, counts[service.totalUnit] + service.totalError(pages.length))
    const realPages = Math.ceil((service.unit === 'transaction' ? view : users).length / limit)
    const totalPages = service.totalPages === 'real' ? realPages : Math.ceil(total / limit)
    const isBeyond = cut(page).length === 0
    if (isBeyond && (service.beyond === '404' || (service.beyond.startsWith('4') && page > 1))) {
      const nothing = `No transactions found for this ${service.summary === 'none' ? 'user' : 'guild'}`
      const message = service.beyond === '404' ? nothing : 'There is no such page'
      return Response.json({ success: false, message }, { status: Number(service.beyond) })
    }
    const served = isBeyond && service.beyond === 'last-page' ? Math.max(1, realPages) : page
    const entries = service.isEmptied(pages.length, page) ? [] : cut(served)
    const groups = groupsOf(entries)
    const covered = service.summary === 'page' ? entries : counted
    const summaryCount = (count: number) => (service.summary === 'page' ? count : stated(count))
    return Response.json({
      success: true,
      data: service.summary === 'none' ? (groups[0] ?? { platformId: 'user 0', transactions: [] }) : groups,
      pagination: { page: served, limit, total, totalPages },
      ...(service.summary !== 'none' && {
        summary: {
          totalTransactions: summaryCount(covered.length),
          totalValue: covered.reduce((sum, { total: value }) => sum + value, 0),
          uniqueUsers: summaryCount(usersOf(covered)),
        },
      }),
    })
  }

  return {
    /** Numbers of the requested pages. */
    pages,
    /** The ledger at the first request. */
    first: () => first,
    fetch: async (url: string): Promise<Response> => {
      const response = responseTo(new URL(url).searchParams)
      service.change(ledger, pages.length)
      return response
    },
  }
}

/** What a client lists of such a service: the transactions of the guild, or of the one user where there is no summary. */
export const transactionsOf = (
  { fetch }: Pick<ReturnType<typeof createService>, 'fetch'>,
  summary: ServiceOptions['summary'] = 'match',
) => {
  const client = new GuildLedger({
    apiKey: 'k3y-of-the-guild',
    baseUrl: 'https://ledger.example',
    throttle: false,
    retry: false,
    logLevel: 'off',
    fetch,
  })
  return summary === 'none' ? client.user('user 0').transactions : client.transactions
}
