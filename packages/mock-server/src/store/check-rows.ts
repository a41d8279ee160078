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

/** Hands out one text for all that are equal: rows that were read from somewhere bring a copy each. */
const oneOfEach = (): ((text: string) => string) => {
  const texts = new Map<string, string>()
  return (text) => {
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
}

/** Checked rows in the store's own shape: the documented fields only, `createdAt` to the millisecond. */
export const stored = (given: readonly LedgerEntry[]): LedgerEntry[] => {
  const one = oneOfEach()
  return given.map((row) => {
    const { transactionId, amount, quantity, total } = row
    const [name, source] = [one(row.name), one(row.source)]
    const createdAt = spelt(row.createdAt)
    return Object.freeze({
      platformId: one(row.platformId),
      transactionId,
      amount,
      quantity,
      name,
      source,
      total,
      createdAt,
    })
  })
}
