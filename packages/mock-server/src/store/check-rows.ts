import { inWords, issuesOf, platformId, transaction, type LedgerEntry } from '@guild-ledger/sdk/contract'
import * as z from 'zod/mini'
import { instantOf, spelt } from './instant.ts'

const ledgerEntry = z.extend(transaction, { platformId })

/** What is wrong with a row, in words that follow its name; `undefined` if nothing is. */
export const flawOf = (given: unknown): string | undefined => {
  const [issue] = issuesOf(ledgerEntry, given)
  if (issue) return `${issue.path || 'a row'} must be ${issue.expected}, not ${issue.received}`
  const { createdAt } = given as LedgerEntry
  return instantOf(createdAt) === undefined
    ? `createdAt must be a day of the calendar, not ${inWords(createdAt)}`
    : undefined
}

/** A checked row in the store's own shape: the documented fields only, `createdAt` to the millisecond. */
export const stored = (given: LedgerEntry): LedgerEntry => {
  const { transactionId, amount, quantity, name, source, total } = given
  const createdAt = spelt(given.createdAt)
  return Object.freeze({
    platformId: given.platformId,
    transactionId,
    amount,
    quantity,
    name,
    source,
    total,
    createdAt,
  })
}
