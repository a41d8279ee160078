import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { any, check, type Checks } from '@guild-ledger/validation'
import { timeOf } from '../date-time.ts'
import { entryFields, violationOf } from '../store/validate-transactions.ts'
import { checkedFields } from '../type-error.ts'

/** How a factory dates its transactions. */
export interface TransactionFactoryOptions {
  /**
   * A time, or a guild, which stands for its newest transaction. The first transaction is created one second later, and
   * each further one a second after the one before. A guild is read when the first transaction is created.
   *
   * @default '2026-01-01T00:00:00Z'. Most seeded transactions are newer, so `watch()` on such a ledger takes these for old
   * ones: use the guild there.
   */
  readonly after?:
    | Date
    | string
    | {
        /** The transactions of a guild. */
        readonly transactions: readonly Pick<LedgerEntry, 'createdAt'>[]
      }
}

const firstTime = Date.UTC(2026, 0, 1)

const isGuild = (after: unknown): after is { transactions: readonly Pick<LedgerEntry, 'createdAt'>[] } =>
  typeof after === 'object' && after !== null && 'transactions' in after && Array.isArray(after.transactions)

const factoryChecks: Checks = {
  after: check(
    (after) => isGuild(after) || !Number.isNaN(timeOf(after)),
    "a guild or a date such as '2026-02-01T00:00:00Z'",
  ),
}

const fieldChecks = Object.fromEntries(entryFields.map((name) => [name, any]))

const latestOf = (transactions: readonly Pick<LedgerEntry, 'createdAt'>[]): number =>
  transactions.length === 0
    ? firstTime
    : transactions.reduce((latest, { createdAt }) => Math.max(latest, Date.parse(createdAt)), -Infinity)

/** Factories in this process. Their number is a part of the ids, so that no two factories create the same. */
let factories = 0

/**
 * Creates a function that creates plain transactions for `guild.add`: each call returns the next one, with an id that no
 * other call in this process returns. `overrides` are what a test is about; `total` is `amount` times `quantity` unless given.
 *
 * @example
 * const transaction = createTransactionFactory({ after: guild })
 * guild.add([transaction({ source: 'shop' }), transaction({ amount: 2.5, quantity: 4 })])
 *
 * @throws {TypeError} An option is unknown or not allowed, or an override is not a field of a transaction or not allowed.
 */
export const createTransactionFactory = (
  options: TransactionFactoryOptions = {},
): ((overrides?: Partial<LedgerEntry>) => LedgerEntry) => {
  const { after = new Date(firstTime) } = checkedFields(factoryChecks, options)
  let start = isGuild(after) ? undefined : timeOf(after)
  const factory = (factories++).toString(16).padStart(8, '0')
  let created = 0
  const nextTime = () => {
    // A long ledger is read only where that is needed.
    start ??= isGuild(after) ? latestOf(after.transactions) : firstTime
    return new Date(start + created * 1000).toISOString()
  }
  return (overrides = {}) => {
    const fields = checkedFields(fieldChecks, overrides, { noun: 'field', label: 'overrides' })
    created++
    const { amount = 10, quantity = 1 } = fields
    const transaction = {
      platformId: 'user-1',
      transactionId: `${factory}-0000-4000-8000-${created.toString(16).padStart(12, '0')}`,
      name: 'Iron Sword',
      source: 'shop',
      total: Math.round(amount * quantity * 100) / 100,
      createdAt: fields.createdAt ?? nextTime(),
      ...fields,
      amount,
      quantity,
    }
    const violation = violationOf(transaction)
    if (violation !== undefined) throw new TypeError(violation)
    return transaction
  }
}
