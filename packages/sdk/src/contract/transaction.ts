import * as z from 'zod/mini'

const number = z.number('a number')
const string = z.string('a string')

const uuidStyle = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const utcDateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]00(?::?00)?)$/

export const transaction = z.object(
  {
    transactionId: string.check(z.regex(uuidStyle, 'a UUID-style identifier')),
    amount: number,
    quantity: number,
    name: string,
    source: string,
    total: number,
    createdAt: string.check(z.regex(utcDateTime, 'an ISO 8601 date-time in UTC')),
  },
  'an object',
)
/**
 * One transaction of a guild's ledger. How `amount`, `quantity` and `total` relate is unspecified. Spec: Resources,
 * Transaction.
 */
export interface Transaction {
  /** Identifier in the style of a UUID: 8-4-4-4-12 hexadecimal digits, of no particular version. */
  transactionId: string
  /** May have decimals. Its unit is unspecified: it may not be money. Add several up with `sumOf`, which is exact. */
  amount: number
  /** How many. How it relates to `amount` and `total` is unspecified. */
  quantity: number
  /** Name of the item. */
  name: string
  /** Where the transaction came from; what `from` filters by. The set of values is unspecified. */
  source: string
  /** May have decimals. Its unit or currency is unspecified; it need not be `amount` times `quantity`. */
  total: number
  /** ISO 8601 date-time in UTC. Its exact form (`Z`, `.000Z`, `+00:00`) is unspecified: all are accepted. */
  createdAt: string
}

/** A transaction with the user it belongs to, as paginators and watches yield it. */
export interface LedgerEntry extends Transaction {
  /** Identifier of the user on the game platform. */
  platformId: string
}
