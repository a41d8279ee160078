import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'

const start = Date.UTC(2026, 0, 1)
const fields = ['platformId', 'transactionId', 'amount', 'quantity', 'name', 'source', 'total', 'createdAt']

/**
 * Creates a maker of plain rows for `guild.add`: each call gives the next one, with an id of its own and a second later
 * than the one before, from 1 January 2026 on: older than most seeded rows, so a watch on such a ledger takes them for old
 * unless `createdAt` says otherwise. What a test is about goes into `overrides`; `total` is `amount` times `quantity` unless given.
 *
 * @example
 * const transaction = createTransactionFactory()
 * guild.add([transaction({ source: 'shop' }), transaction({ amount: 2.5, quantity: 4 })])
 *
 * @throws {TypeError} The maker is given a field that a transaction does not have.
 */
export const createTransactionFactory = (): ((overrides?: Partial<LedgerEntry>) => LedgerEntry) => {
  let made = 0
  return (overrides = {}) => {
    const unknown = Object.keys(overrides).find((name) => !fields.includes(name))
    if (unknown !== undefined) {
      throw new TypeError(`A transaction has no field ${inWords(unknown)}: its fields are ${fields.join(', ')}.`)
    }
    made++
    const { amount = 10, quantity = 1 } = overrides
    return {
      platformId: 'user-1',
      transactionId: `00000000-0000-4000-8000-${made.toString(16).padStart(12, '0')}`,
      name: 'Iron Sword',
      source: 'shop',
      total: Math.round(amount * quantity * 100) / 100,
      createdAt: new Date(start + made * 1000).toISOString(),
      ...overrides,
      amount,
      quantity,
    }
  }
}
