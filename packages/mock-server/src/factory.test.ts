import { expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory } from './index.ts'

it('gives rows that a guild takes, each with an id of its own', () => {
  const { guild } = createMockLedger({ transactions: 0 })
  const transaction = createTransactionFactory()
  const rows = [transaction(), transaction({ amount: 2.5, quantity: 4 }), transaction({ total: 7 })]

  guild.add(rows)

  expect(guild.transactions).toEqual(rows)
  expect(rows.map(({ total }) => total)).toEqual([10, 10, 7])
})

it('dates rows from the beginning of 2026 on, a second apart', () => {
  const transaction = createTransactionFactory()

  expect([transaction().createdAt, transaction().createdAt]).toEqual([
    '2026-01-01T00:00:01.000Z',
    '2026-01-01T00:00:02.000Z',
  ])
})

it('dates rows after a moment', () => {
  const after = '2026-05-01T12:00:00+02:00'

  expect(createTransactionFactory({ after })().createdAt).toBe('2026-05-01T10:00:01.000Z')
  expect(createTransactionFactory({ after: new Date(after) })().createdAt).toBe('2026-05-01T10:00:01.000Z')
})

it('dates rows after the newest of a guild, as it is when the first of them is made', () => {
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

it('begins as ever after a guild without rows', () => {
  const { guild } = createMockLedger({ transactions: 0 })

  expect(createTransactionFactory({ after: guild })().createdAt).toBe('2026-01-01T00:00:01.000Z')
})

it.each<[() => unknown, string]>([
  [() => createTransactionFactory()({ price: 1 } as object), 'A transaction has no field "price"'],
  [() => createTransactionFactory({ start: 1 } as object), 'A factory has no option "start": there is after.'],
  [() => createTransactionFactory({ after: 'soon' }), 'after must be a guild or a date such as'],
  [() => createTransactionFactory({ after: null } as never), 'after must be a guild or a date such as'],
])('refuses what it does not know: %s', (make, message) => {
  expect(make).toThrow(message)
})
