import { expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory } from '../index.ts'

it('a factory creates transactions that a guild accepts, each with an id of its own', () => {
  const { guild } = createMockLedger({ transactions: 0 })
  const transaction = createTransactionFactory()
  const created = [transaction(), transaction({ amount: 2.5, quantity: 4 }), transaction({ total: 7 })]

  guild.add(created)

  expect(guild.transactions).toEqual(created)
  expect(created.map(({ total }) => total)).toEqual([10, 10, 7])
})

it('a factory creates other ids with each factory, the later factory the greater ones', () => {
  const { guild } = createMockLedger({ transactions: 0 })
  const factories = [createTransactionFactory(), createTransactionFactory(), createTransactionFactory()]

  guild.add(factories.flatMap((transaction) => [transaction(), transaction()]))

  const ids = guild.transactions.map(({ transactionId }) => transactionId)
  expect(new Set(ids).size).toBe(6)
  expect(ids).toEqual(ids.toSorted())
})

it('a factory dates transactions from the beginning of 2026 on, a second apart', () => {
  const transaction = createTransactionFactory()

  expect([transaction().createdAt, transaction().createdAt]).toEqual([
    '2026-01-01T00:00:01.000Z',
    '2026-01-01T00:00:02.000Z',
  ])
})

it('a factory dates transactions after a given time', () => {
  const after = '2026-05-01T12:00:00+02:00'

  expect(createTransactionFactory({ after })().createdAt).toBe('2026-05-01T10:00:01.000Z')
  expect(createTransactionFactory({ after: new Date(after) })().createdAt).toBe('2026-05-01T10:00:01.000Z')
})

it('a factory dates transactions after the newest of a guild at the time of the first call', () => {
  const { guild } = createMockLedger({ transactions: 200 })
  const transaction = createTransactionFactory({ after: guild })
  const [older, newest] = ['2026-03-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']
  const dated = createTransactionFactory()
  guild.add([dated({ createdAt: newest }), dated({ createdAt: older })])

  expect([transaction().createdAt, transaction().createdAt]).toEqual([
    '2026-06-01T00:00:01.000Z',
    '2026-06-01T00:00:02.000Z',
  ])
})

it('a factory dates transactions from the beginning of 2026 on after a guild without transactions', () => {
  const { guild } = createMockLedger({ transactions: 0 })

  expect(createTransactionFactory({ after: guild })().createdAt).toBe('2026-01-01T00:00:01.000Z')
})

it.each<[() => unknown, string]>([
  [() => createTransactionFactory()({ price: 1 } as object), 'Unknown field `price`. Known fields: `transactionId`'],
  [() => createTransactionFactory({ start: 1 } as object), 'Unknown option `start`. Known options: `after`.'],
  [() => createTransactionFactory({ after: 'soon' }), '`after` must be a guild or a date such as'],
])('a factory rejects options and fields that it does not know: %s', (create, message) => {
  expect(create).toThrow(message)
})
