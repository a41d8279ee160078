import { createMockLedger, type Guild } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { entry, listAll } from '@guild-ledger/test-kit'

/** Any response body. */
interface ResponseBody {
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

export { listAll }
export const userOf = (platformId: string) => `/guild/ledger/${platformId}/transactions`

/** A transaction whose fields all grow with `n`. */
export const transaction = (n: number, platformId: string, change: object = {}) => ({
  ...entry(n, { platformId }),
  quantity: n,
  name: `Item ${n}`,
  total: n + 0.5,
  createdAt: `2026-01-0${n}T00:00:00.000Z`,
  ...change,
})

/** The amounts in a response, in its order. */
export const amountsOf = ({ data }: ResponseBody) =>
  (Array.isArray(data) ? (data as Group[]) : [data as Group]).flatMap((group) =>
    group.transactions.map(({ amount }) => amount),
  )

/** A mock behind real HTTP, for tests of what the spec says. */
export const startSpecServer = async () => {
  // Tests do not keep to the rate limit.
  const mock = createMockLedger({ rateLimit: 'off' })
  const server = await startMockServer({ mock })
  return {
    mock,
    url: server.url,
    [Symbol.asyncDispose]: async () => server.close(),
    send: async (target: string, apiKey = mock.apiKey) => {
      const response = await fetch(server.url + target, { headers: { 'x-api-key': apiKey } })
      return { status: response.status, headers: response.headers, body: (await response.json()) as ResponseBody }
    },
    /** A guild in which each field sorts and filters in its own way. */
    small: (): Guild => {
      const guild = mock.createGuild()
      guild.add([
        transaction(1, 'ann', { source: 'quest' }),
        transaction(2, 'bob', { quantity: 9, name: 'Axe' }),
        transaction(3, 'ann', { total: 0.25 }),
        transaction(4, 'ann', { amount: 0 }),
      ])
      return guild
    },
  }
}
