import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'

/** How a factory dates its rows. */
export interface TransactionFactoryOptions {
  /**
   * A moment, or a guild, whose newest transaction is meant. The first row is a second later, as is each than the one
   * before. A guild is looked at when the first row is made.
   *
   * @default '2026-01-01T00:00:00Z'. Most seeded rows are newer: a watch on such a ledger takes these rows for old ones,
   * so give it the guild.
   */
  readonly after?:
    | Date
    | string
    | {
        /** Those there are when a row is made, as a guild has them. */
        readonly transactions: readonly Pick<LedgerEntry, 'createdAt'>[]
      }
}

const fields = ['platformId', 'transactionId', 'amount', 'quantity', 'name', 'source', 'total', 'createdAt']

const latest = (transactions: readonly Pick<LedgerEntry, 'createdAt'>[]): number =>
  transactions.reduce((last, { createdAt }) => Math.max(last, Date.parse(createdAt)), Number.NEGATIVE_INFINITY)

const firstMoment = Date.UTC(2026, 0, 1)

/** The moment before the first row. A guild is asked when that row is made, a date is read at once. */
const momentOf = (after: TransactionFactoryOptions['after'] = new Date(firstMoment)): (() => number) => {
  if (typeof after === 'object' && after !== null && 'transactions' in after) {
    return () => (after.transactions.length > 0 ? latest(after.transactions) : firstMoment)
  }
  const moment = typeof after === 'string' || after instanceof Date ? new Date(after).getTime() : Number.NaN
  if (!Number.isNaN(moment)) return () => moment
  throw new TypeError(`after must be a guild or a date such as '2026-02-01T00:00:00Z', not ${inWords(after)}.`)
}

const refuseUnknown = (given: object, known: readonly string[], what: string): void => {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${what} ${inWords(unknown)}: there is ${known.join(', ')}.`)
}

/**
 * Creates a maker of plain rows for `guild.add`: each call gives the next one, with an id of its own and a second later
 * than the one before. What a test is about goes into `overrides`; `total` is `amount` times `quantity` unless given.
 *
 * @example
 * const transaction = createTransactionFactory({ after: guild })
 * guild.add([transaction({ source: 'shop' }), transaction({ amount: 2.5, quantity: 4 })])
 *
 * @throws {TypeError} An option is unknown or wrong, or the maker is given a field that a transaction does not have.
 */
export const createTransactionFactory = (
  options: TransactionFactoryOptions = {},
): ((overrides?: Partial<LedgerEntry>) => LedgerEntry) => {
  refuseUnknown(options, ['after'], 'A factory has no option')
  const moment = momentOf(options.after)
  let start: number | undefined
  let made = 0
  return (overrides = {}) => {
    refuseUnknown(overrides, fields, 'A transaction has no field')
    start ??= moment()
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
