/** A response that is not what the spec describes, and what becomes of a call that gets it. */
export interface Hostile {
  /** What the service sends for a request; each string or byte array is one write. Ends the connection unless it `stays`. */
  readonly send: (request: HostileRequest) => readonly (string | Uint8Array)[]
  /** Whether the connection stays open after the last write. */
  readonly stays?: boolean
  /** Milliseconds between two writes; 0 unless given. */
  readonly pauseMs?: number
  /** Sends the writes again and again until the client closes the connection. */
  readonly repeats?: boolean
  /** How the client is used; `list` unless given. */
  readonly use?: Use
  /** `validation` of the client; `strict` unless given. */
  readonly validation?: 'strict' | 'off'
  /** What may come of it: a result, the `code` of an error of the SDK, or an abort by the program after `limitMs`. */
  readonly expected: readonly string[]
}

/** How a program uses the client: one page, all pages one by one, all transactions, or a watch. */
export type Use = 'list' | 'pages' | 'iterate' | 'watch'

/** A request as the hostile service sees it. */
export interface HostileRequest {
  /** `page` of the query. */
  readonly page: number
  /** The API key. */
  readonly key: string
  /** Number of the request to this program, from 1. */
  readonly count: number
}

/** Rows of the table by their names. */
export type HostileResponses = Readonly<Record<string, Hostile>>

/** What a program reports about itself. */
export interface Report {
  readonly outcome: string
  /** The longest time for which the event loop stood still, without the time that other processes had the processor. */
  readonly blockedMs: number
  /** The most memory, beyond that of the idle program. */
  readonly peakMiB: number
  /** Rejections and exceptions that nobody handled. */
  readonly unhandled: readonly string[]
}

/** A whole HTTP response. */
export const http = (
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  status = '200 OK',
): Uint8Array[] => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const all = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return [new TextEncoder().encode(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), bytes]
}

export interface PageValues {
  readonly page?: unknown
  readonly limit?: unknown
  readonly total?: unknown
  readonly totalPages?: unknown
  /** Users on the page. */
  readonly users?: number
  /** Transactions of each. */
  readonly each?: number
  /** Number of the first transaction, from which the others count. */
  readonly from?: number
  readonly createdAt?: string
  readonly name?: string
  /** JSON of a further field of the page. */
  readonly extra?: string
}

/** The JSON of a page. */
export const pageText = ({
  users = 10,
  each = 1,
  from = 0,
  createdAt,
  name = 'Axe',
  extra,
  ...values
}: PageValues): string => {
  const { page = 1, limit = 100, total = users * each, totalPages = 1 } = values
  const transaction = (n: number) => ({
    transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(n % 1e12).padStart(12, '0')}`,
    amount: 1,
    quantity: 1,
    name,
    source: 'shop',
    total: 1,
    createdAt: createdAt ?? new Date(1_767_225_600_000 + (n % 1e9) * 1000).toISOString(),
  })
  const data = Array.from({ length: users }, (_, user) => ({
    platformId: `user ${from + user}`,
    transactions: Array.from({ length: each }, (__, i) => transaction(from + user * each + i)),
  }))
  const summary = { totalTransactions: 1, totalValue: 1, uniqueUsers: 1 }
  const text = JSON.stringify({ success: true, data, pagination: { page, limit, total, totalPages }, summary })
  return extra === undefined ? text : `${text.slice(0, -1)},"extra":${extra}}`
}
