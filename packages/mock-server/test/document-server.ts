import { createMockLedger, type Guild } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'

/** Body of a reply, as loosely as a client sees it that knows nothing yet. */
export interface Reply {
  success: boolean
  message?: string
  data?: unknown
  pagination?: unknown
  summary?: unknown
}

export interface Group {
  platformId: string
  transactions: Record<string, unknown>[]
}

export const listAll = '/guild/ledger/transactions'
export const userOf = (platformId: string) => `/guild/ledger/${platformId}/transactions`

/** A row whose fields all grow with `n`. */
export const row = (n: number, platformId: string, change: object = {}) => ({
  platformId,
  transactionId: `0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a0${n}`,
  amount: n,
  quantity: n,
  name: `Item ${n}`,
  source: 'shop',
  total: n + 0.5,
  createdAt: `2026-01-0${n}T00:00:00.000Z`,
  ...change,
})

/** Amounts in a reply, in its order. */
export const amountsOf = ({ data }: Reply) =>
  (Array.isArray(data) ? (data as Group[]) : [data as Group]).flatMap((group) =>
    group.transactions.map((transaction) => transaction['amount']),
  )

/** A mock behind real HTTP, with the questions the tests of the document ask. */
export const startDocumentServer = async () => {
  // Tests do not pace themselves.
  const mock = createMockLedger({ rateLimit: 'off' })
  const server = await startMockServer({ mock })
  return {
    mock,
    url: server.url,
    [Symbol.asyncDispose]: async () => server.close(),
    ask: async (target: string, apiKey = mock.apiKey) => {
      const response = await fetch(server.url + target, { headers: { 'x-api-key': apiKey } })
      return { status: response.status, headers: response.headers, body: (await response.json()) as Reply }
    },
    /** A guild in which each field sorts and filters in its own way. */
    small: (): Guild => {
      const guild = mock.createGuild()
      guild.add([
        row(1, 'ann', { source: 'quest' }),
        row(2, 'bob', { quantity: 9, name: 'Axe' }),
        row(3, 'ann', { total: 0.25 }),
        row(4, 'ann', { amount: 0 }),
      ])
      return guild
    },
  }
}
