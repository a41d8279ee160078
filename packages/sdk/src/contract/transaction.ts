import * as z from 'zod/mini'
import { matching, number, string } from './schemas.ts'

const uuidStyle = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const utcDateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]00(?::?00)?)$/

export const transaction = z.object(
  {
    transactionId: matching(uuidStyle, 'a UUID-style identifier'),
    amount: number,
    quantity: number,
    name: string,
    source: string,
    total: number,
    createdAt: matching(utcDateTime, 'an ISO 8601 date-time in UTC'),
  },
  'an object',
)
/**
 * One transaction of a guild's ledger. Spec: Resources, Transaction. Unspecified: how transactions come into existence;
 * their states and transitions.
 */
export interface Transaction {
  /** Identifier in the style of a UUID: 8-4-4-4-12 hexadecimal digits. Unspecified: the UUID version. */
  transactionId: string
  /**
   * May have decimals. Unspecified: unit or currency, if it is money; the relation to quantity and total.
   *
   * @remarks Add several up with `sumOf`, which is exact.
   */
  amount: number
  /** How many. Unspecified: whether it is always an integer; the relation to amount and total. */
  quantity: number
  /** Name of the item. */
  name: string
  /** Where the transaction came from; the parameter `from` filters by it. Unspecified: the allowed values. */
  source: string
  /**
   * May have decimals; it need not be `amount` times `quantity`. Unspecified: unit or currency; the relation to amount and
   * quantity.
   */
  total: number
  /**
   * ISO 8601 date-time in UTC. Unspecified: the format, such as `Z` or `+00:00`, with or without fractions of a second.
   *
   * @remarks The SDK accepts all of them.
   */
  createdAt: string
}

/** A transaction with the user it belongs to, as paginators and watches yield it. */
export interface LedgerEntry extends Transaction {
  /** Identifier of the user on the game platform. */
  platformId: string
}
