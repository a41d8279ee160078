import { expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory, type Guild } from '../index.ts'

const guildOf = (transactions = 0) => createMockLedger({ transactions }).guild

it('a factory creates transactions that a guild accepts, each with an id of its own', () => {
  const guild = guildOf()
  const transaction = createTransactionFactory()
  const created = [transaction(), transaction({ amount: 2.5, quantity: 4 }), transaction({ total: 7 })]

  guild.add(created)

  expect(guild.transactions).toEqual(created)
  expect(created.map(({ total }) => total)).toEqual([10, 10, 7])
})

it('a factory creates other ids with each factory, the later factory the greater ones', () => {
  const guild = guildOf()
  const factories = [createTransactionFactory(), createTransactionFactory(), createTransactionFactory()]

  guild.add(factories.flatMap((transaction) => [transaction(), transaction()]))

  const ids = guild.transactions.map(({ transactionId }) => transactionId)
  expect(new Set(ids).size).toBe(6)
  expect(ids).toEqual(ids.toSorted())
})

it.each<[string, () => string | Date | Guild | undefined, string]>([
  ['from the beginning of 2026 on', () => undefined, '2026-01-01T00:00:0'],
  ['after a time', () => '2026-05-01T12:00:00+02:00', '2026-05-01T10:00:0'],
  ['after a date', () => new Date('2026-05-01T10:00:00Z'), '2026-05-01T10:00:0'],
  ['from the beginning of 2026 on after an empty guild', () => guildOf(), '2026-01-01T00:00:0'],
])('a factory dates transactions %s, a second apart', (_what, after, expected) => {
  const given = after()
  const transaction = createTransactionFactory(given === undefined ? {} : { after: given })

  expect([transaction().createdAt, transaction().createdAt]).toEqual([`${expected}1.000Z`, `${expected}2.000Z`])
})

it('a factory dates transactions after the newest of a guild at the time of the first call', () => {
  const guild = guildOf(200)
  const transaction = createTransactionFactory({ after: guild })
  const dated = createTransactionFactory()
  guild.add(['2026-06-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'].map((createdAt) => dated({ createdAt })))

  expect(transaction().createdAt).toBe('2026-06-01T00:00:01.000Z')
})

it.each<[() => unknown, string]>([
  [() => createTransactionFactory()({ price: 1 } as object), 'Unknown field `price`. Known fields: `transactionId`'],
  [() => createTransactionFactory({ start: 1 } as object), 'Unknown option `start`. Known options: `after`.'],
  [() => createTransactionFactory({ after: 'soon' }), '`after` must be a guild or a date such as'],
])('a factory rejects options and fields that it does not know: %s', (create, message) => {
  expect(create).toThrow(message)
})
