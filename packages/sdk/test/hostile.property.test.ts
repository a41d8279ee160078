import { GuildLedger, GuildLedgerError, type Validation } from '@guild-ledger/sdk'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { guildReply, row, userReply } from './replies.ts'

/** Every place in a value, as a list of keys. */
const placesIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]))]
    : [path]

/** A copy of `value` with something else at `path`. */
const changed = (value: unknown, [key, ...rest]: string[], to: unknown): unknown => {
  if (key === undefined) return to
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = changed(copy[key], rest, to)
  return copy
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, -1, 1.5, 1e308, 2 ** 60, '', 'x', [], {}, [null], [[]], [row], row),
  fc.constantFrom<unknown>({ length: 5 }, '2026-99-99T00:00:00Z', [{ transactions: null }], [{ transactions: [null] }]),
  fc.constant({ toString: false }),
  fc.jsonValue(),
)

const verbs = ['list', 'pages', 'iterate', 'watch', 'watch since'] as const
type Transactions = GuildLedger['transactions']

/** Uses a verb to its end; a watch to its third request. */
const use = async (transactions: Transactions, verb: (typeof verbs)[number], signal: AbortSignal): Promise<unknown> => {
  if (verb === 'list') return transactions.list({}, { signal })
  if (verb === 'pages') return Array.fromAsync(transactions.pages({}, { signal }))
  if (verb === 'iterate') return Array.fromAsync(transactions.iterate({}, { signal }))
  const since = verb === 'watch' ? {} : { since: '2020-01-01T00:00:00Z' }
  const watch = transactions.watch({}, { signal, intervalMs: 1, ...since })
  try {
    return await Array.fromAsync(watch)
  } finally {
    JSON.stringify(watch.checkpoint)
  }
}

it.each<Validation>(['strict', 'warn', 'off'])(
  'with validation %s throws nothing but errors of this package, whatever a reply holds',
  async (validation) => {
    const asked = fc.record({
      verb: fc.constantFrom(...verbs),
      reply: fc.constantFrom<unknown>(guildReply, userReply),
      place: fc.nat(),
      value: odd,
    })
    const property = fc.asyncProperty(asked, async ({ verb, reply, place, value }) => {
      const places = placesIn(reply)
      const text = JSON.stringify(changed(reply, places[place % places.length] ?? [], value)) ?? ''
      const stop = new AbortController()
      let sent = 0
      const fetch = async () => {
        if ((sent += 1) > 2 && verb.startsWith('watch')) stop.abort('enough')
        return new Response(text)
      }
      const given = { apiKey: 'k3y', baseUrl: 'https://ledger.example', throttle: false, retry: false, logLevel: 'off' }
      const ledger = new GuildLedger({ ...given, fetch, validation } as ConstructorParameters<typeof GuildLedger>[0])
      const transactions = reply === guildReply ? ledger.transactions : ledger.user('8412').transactions
      const error: unknown = await use(transactions as Transactions, verb, stop.signal).catch(
        (thrown: unknown) => thrown,
      )
      expect(GuildLedgerError.is(error) ? 'one of ours' : error).not.toBeInstanceOf(Error)
    })
    await fc.assert(property, { numRuns: process.env.CI ? 1_000 : 300 })
  },
  60_000,
)
