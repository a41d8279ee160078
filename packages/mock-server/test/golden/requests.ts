import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'

/** A request of the golden suite. */
export interface GoldenRequest {
  readonly method: string
  readonly target: string
  readonly apiKey: string
}

/** A response as all adapters must return it. */
interface GoldenResponse {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

const list = '/guild/ledger/transactions'

const filters = [
  '',
  'from=shop',
  'from=SHOP',
  'from=nowhere',
  'minAmount=10&maxAmount=100.5',
  'minAmount=5&maxAmount=1',
  'page=2',
  'page=99999',
  'limit=100',
  'page=0&limit=1000',
]
const sorts = [
  '',
  'sortBy=amount&sortOrder=asc',
  'sortBy=quantity',
  'sortBy=total&sortOrder=desc',
  'sortBy=createdAt&sortOrder=asc',
  'sortBy=name&sortOrder=asc',
]
const ranges = ['', 'startDate=2025-12-01T00:00:00Z', 'endDate=2026-01-01T00:00:00%2B01:00', 'startDate=yesterday']
const odd = [
  '',
  '/',
  '/guild/discharges',
  '/guild/ledger/transactions/',
  '/guild/ledger/%E0%A4%A/transactions',
  '/guild/ledger/a%2Fb%20%3F/transactions',
  `${list}?from=%zz`,
  `${list}?from=a&from=b`,
  `${list}?colour=red`,
  `${list}?from=%F0%9F%98%80`,
]

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join('&')
const withQuery = (path: string, query: string) => (query === '' ? path : `${path}?${query}`)

const assumptionSets: Partial<Assumptions>[] = [
  {},
  { pageUnit: 'group', groupOrder: 'platform-id', sourceMatch: 'case-insensitive', invalidParameter: 'clamp' },
]

/** The mock of the suite, the same in every runtime, and its 300 requests. */
export const goldenSuite = () => {
  const now = () => Date.UTC(2026, 1, 1)
  const mock = createMockLedger({ seed: 7, users: 12, transactions: 400, rateLimit: 'off', now })
  const guilds = assumptionSets.map((assumptions) =>
    mock.createGuild({ seed: 8, users: 9, transactions: 150, rateLimit: 'off', assumptions }),
  )
  const user = guilds[0]?.transactions[3]?.platformId ?? ''
  const oneUser = `/guild/ledger/${user}/transactions`
  const get = (apiKey: string, target: string): GoldenRequest => ({ method: 'GET', target, apiKey })

  const unbound = mock.createUnboundKey({ name: 'unbound', scopes: ['guild:read'], expiresAt: '2030-01-01' })
  const scopeless = mock.guild.createKey({ name: 'scopeless', scopes: [], expiresAt: '2030-01-01' })
  const keys = ['unknown', unbound.value, scopeless.value, mock.createGuild().apiKey]
  const requests = [
    ...guilds.flatMap(({ apiKey }) => [
      ...filters.flatMap((filter) => sorts.map((sort) => get(apiKey, withQuery(list, joined(filter, sort))))),
      ...filters.flatMap((filter) => sorts.map((sort) => get(apiKey, withQuery(oneUser, joined(filter, sort))))),
      ...ranges.map((range) => get(apiKey, withQuery(list, joined(range, 'limit=5')))),
    ]),
    ...ranges.map((range) => get(mock.apiKey, withQuery(list, range))),
    ...odd.map((target) => get(mock.apiKey, target)),
    ...keys.flatMap((apiKey) => [list, oneUser].map((target) => get(apiKey, target))),
    ...['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => ({ method, target: list, apiKey: mock.apiKey })),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((page) => get(mock.apiKey, `${list}?page=${page}&limit=50`)),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((page) => get(mock.apiKey, `${list}?page=${page}&limit=45&sortBy=name`)),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((page) => get(mock.apiKey, `${list}?page=${page}&limit=7&sortOrder=asc`)),
  ]
  return { mock, requests }
}

/** Sends all requests through a `fetch`, one after the other. */
export const responsesThrough = async (
  send: typeof fetch,
  origin: string,
  requests: readonly GoldenRequest[],
): Promise<GoldenResponse[]> => {
  const responses: GoldenResponse[] = []
  for (const { method, target, apiKey } of requests) {
    // One at a time: the order is part of what is compared.
    const response = await send(origin + target, { method, headers: { 'x-api-key': apiKey } })
    responses.push({
      status: response.status,
      contentType: response.headers.get('content-type'),
      body: await response.text(),
    })
  }
  return responses
}
