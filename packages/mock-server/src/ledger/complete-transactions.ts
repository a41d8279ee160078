import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { array, isObject } from '@guild-ledger/validation'
import { createTransactionFactory } from '../seed/transaction-factory.ts'
import { entryFields } from '../store/validate-transactions.ts'
import { checkedValue } from '../type-error.ts'

const isComplete = (given: Partial<LedgerEntry>): given is LedgerEntry =>
  isObject(given) && entryFields.every((field) => given[field] !== undefined)

/** Fills in what transactions lack, as `add` of a guild says. Complete ones stay as they are. */
export const completed = (
  given: readonly Partial<LedgerEntry>[],
  after: { readonly transactions: readonly LedgerEntry[] },
): LedgerEntry[] => {
  checkedValue(array, 'transactions', given)
  const transaction = createTransactionFactory({ after })
  return given.map((one, i) => {
    if (isComplete(one)) return one
    try {
      return transaction(one)
    } catch (error) {
      throw new TypeError(`Transaction ${i} of ${given.length}: ${(error as Error).message}`, { cause: error })
    }
  })
}
