import type { LedgerEntry } from '@guild-ledger/sdk/contract'

/** An id like those of the service. `crypto.randomUUID` is there on secure origins only. */
const randomId = (): string => {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

/** Creates transactions that are a millisecond apart, the first of them at a time in milliseconds since 1970. */
export const createTransactions = (
  count: number,
  at: number,
  fields: Pick<LedgerEntry, 'platformId' | 'source' | 'amount'>,
): LedgerEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    ...fields,
    transactionId: randomId(),
    quantity: 1,
    name: 'Iron Sword',
    total: fields.amount,
    createdAt: new Date(at + i).toISOString(),
  }))
