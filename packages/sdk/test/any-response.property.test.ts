import { GuildLedger, GuildLedgerError } from '@guild-ledger/sdk'
import {
  cases as casesToTry,
  guildResponse,
  placesIn,
  replacedAt,
  stubService,
  transaction,
  userResponse,
} from '@guild-ledger/test-kit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'

/** Throws where it is compared, added or put into a string. */
const withoutPrimitive = { toString: false }

const values = [undefined, null, true, -1, 1.5, 1e308, 2 ** 60, '', 'x', '2026-99-99T00:00:00Z', transaction]
const objects = [
  [],
  {},
  [null],
  [[]],
  [transaction],
  { length: 5 },
  [{ transactions: null }],
  [{ transactions: [null] }],
]
const odd = fc.oneof(fc.constantFrom<unknown>(...values, ...objects), fc.constant(withoutPrimitive), fc.jsonValue())

const methods = ['list', 'pages', 'iterate', 'watch', 'watch since'] as const
type Transactions = GuildLedger['transactions']

/** Uses a method to its end; a watch to its third request. */
const use = async (
  transactions: Transactions,
  method: (typeof methods)[number],
  signal: AbortSignal,
): Promise<unknown> => {
  if (method === 'list') return transactions.list({}, { signal })
  if (method === 'pages') return Array.fromAsync(transactions.pages({}, { signal }))
  if (method === 'iterate') return Array.fromAsync(transactions.iterate({}, { signal }))
  const since = method === 'watch' ? {} : { since: '2020-01-01T00:00:00Z' }
  const watch = transactions.watch({}, { signal, intervalMs: 1, ...since })
  try {
    return await Array.fromAsync(watch)
  } finally {
    JSON.stringify(watch.checkpoint)
  }
}

it.each(['strict', 'warn', 'off'] as const)(
  'throws nothing but errors of this package with validation %s, whatever a response holds',
  async (validation) => {
    const cases = fc.record({
      method: fc.constantFrom(...methods),
      response: fc.constantFrom<unknown>(guildResponse, userResponse),
      place: fc.nat(),
      value: odd,
    })
    const property = fc.asyncProperty(cases, async ({ method, response, place, value }) => {
      const places = placesIn(response)
      const text = JSON.stringify(replacedAt(response, places[place % places.length] ?? [], value)) ?? ''
      const stop = new AbortController()
      const service = stubService((count) => {
        if (count > 2 && method.startsWith('watch')) stop.abort('enough')
        return new Response(text)
      })
      const ledger = new GuildLedger({ ...service.options, validation })
      const transactions = response === guildResponse ? ledger.transactions : ledger.user('8412').transactions
      const error: unknown = await use(transactions as Transactions, method, stop.signal).catch(
        (thrown: unknown) => thrown,
      )
      expect(GuildLedgerError.is(error) ? 'an error of this package' : error).not.toBeInstanceOf(Error)
    })
    type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never
    // Some fields only count together with others: each place is tried with the value that is the hardest to use.
    const examples = [guildResponse, userResponse].flatMap((response) =>
      placesIn(response).map(
        (_, place) => [{ method: 'iterate' as const, response, place, value: withoutPrimitive }] as [Case],
      ),
    )
    await fc.assert(property, { examples, numRuns: examples.length + casesToTry(150, 30) })
  },
  240_000,
)
