import { createMockLedger } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it } from 'vitest'
import { inferFrom, respondFrom } from './run-inference.ts'

/** Probes a mock with changed transactions. */
const verdictsFor = async (
  change: (entry: LedgerEntry, user: number) => Partial<LedgerEntry>,
  assumptions: NonNullable<Parameters<typeof createMockLedger>[0]>['assumptions'],
) => {
  const given = createMockLedger({ transactions: 150, users: 20 }).guild.transactions
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: { ...assumptions } })
  const users = [...new Set(given.map(({ platformId }) => platformId))]
  mock.guild.add(given.map((entry) => ({ ...entry, ...change(entry, users.indexOf(entry.platformId)) })))
  return (await inferFrom(respondFrom(mock))).verdictOf
}

it.each([
  ['contains', ['1', '2', '12']],
  ['case-insensitive', ['a']],
] as const)('does not decide that sources match by %s if only %j tell', async (sourceMatch, sources) => {
  const verdictOf = await verdictsFor((_, user) => ({ source: sources[user % sources.length] ?? '' }), { sourceMatch })

  expect(verdictOf('sourceMatch')).toMatchObject({ verdict: 'consistent', candidates: [sourceMatch] })
})

it('does not decide an order of ids that may be an order of numbers', async () => {
  const verdictOf = await verdictsFor((_, user) => ({ platformId: String(100 + ((user * 17) % 41)) }), {
    groupOrder: 'platform-id',
  })

  expect(verdictOf('groupOrder')).toMatchObject({
    verdict: 'consistent',
    candidates: ['platform-id'],
    needs: 'users whose ids differ in length or case, or who differ more in their transactions',
  })
})

it.each([
  ['all of their letters have one case', 'user-'],
  ['they are long numbers of one length', '94211812839253900'],
  ['they are padded numbers', 'user-000'],
])('decides an order of ids if %s', async (_title, start) => {
  const least = start === 'user-' ? 0 : 100
  const verdictOf = await verdictsFor((_, user) => ({ platformId: `${start}${least + ((user * 17) % 41)}` }), {
    groupOrder: 'platform-id',
  })

  expect(verdictOf('groupOrder')).toMatchObject({ verdict: 'decided', value: 'platform-id' })
})

const orderOfNames = (names: readonly string[], nameOrder: 'case-insensitive' | 'code-unit') =>
  verdictsFor((_, user) => ({ name: names[user % names.length] ?? '' }), { nameOrder })

it('does not decide that case is ignored in names if a dictionary order agrees', async () => {
  const verdictOf = await orderOfNames(['Iron Sword', 'iron ore', 'apple', 'Bread', 'rope'], 'case-insensitive')

  expect(verdictOf('nameOrder')).toMatchObject({ verdict: 'consistent', candidates: ['case-insensitive'] })
})

it.each([
  ['spaces count last', ['Iron Sword', 'iron sword', 'Zoo', 'apple', 'éclair']],
  ['accents count last', ['Iron Sword', 'iron sword', 'Irons', 'Zoo', 'apple']],
])('does not decide that case is ignored in names if an order in which %s agrees', async (_title, names) => {
  const verdictOf = await orderOfNames(names, 'case-insensitive')

  expect(verdictOf('nameOrder')).toMatchObject({ verdict: 'consistent', candidates: ['case-insensitive'] })
})

it('decides that case is ignored in names if accents and spaces contradict a dictionary order', async () => {
  const verdictOf = await orderOfNames(['Iron Sword', 'ironclad', 'éclair', 'Zoo', 'zebra'], 'case-insensitive')

  expect(verdictOf('nameOrder')).toMatchObject({ verdict: 'decided', value: 'case-insensitive' })
})

it('decides that upper case is before lower case, although no name begins with a space', async () => {
  const verdictOf = await orderOfNames(['Iron Sword', 'iron ore', 'apple', 'Bread', 'rope'], 'code-unit')

  expect(verdictOf('nameOrder')).toMatchObject({ verdict: 'decided', value: 'code-unit' })
})
