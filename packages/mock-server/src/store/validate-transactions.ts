import { platformId, transaction, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { createChecker, describeValue, formatIssue, type Issue } from '@guild-ledger/validation'
import * as z from 'zod/mini'
import { timestampOf, format } from './timestamp.ts'

// The contract does not say so in its types, but its schemas are those of zod.
const [schema, user] = [transaction, platformId] as unknown as [z.ZodMiniObject, z.ZodMiniType]
const entrySchema = z.extend(schema, { platformId: user })
const ledgerEntry = createChecker(entrySchema)

/** The fields of a transaction with its user. */
export const entryFields = Object.keys(entrySchema._zod.def.shape) as readonly (keyof LedgerEntry)[]

/** What is wrong with a transaction; `undefined` if nothing is. */
export const issueOf = (given: unknown): Issue | undefined => {
  if (!ledgerEntry.accepts(given)) {
    const [issue] = ledgerEntry.issues(given)
    if (issue) return issue
  }
  const { createdAt } = given as LedgerEntry
  if (timestampOf(createdAt) !== undefined) return undefined
  return { path: 'createdAt', expected: 'a day of the calendar', received: describeValue(createdAt) }
}

/** The same as a sentence without a full stop. */
export const violationOf = (given: unknown): string | undefined => {
  const issue = issueOf(given)
  return issue && formatIssue(issue, 'a transaction')
}

/** Returns the same string for equal ones: parsed transactions have a copy each. */
const createInterning = (): ((text: string) => string) => {
  const texts = new Map<string, string>()
  return (text) => {
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
}

/** Valid transactions as the store keeps them: only the fields of the spec, `createdAt` to the millisecond. */
export const stored = (transactions: readonly LedgerEntry[]): LedgerEntry[] => {
  const intern = createInterning()
  return transactions.map((entry) => {
    const { transactionId, amount, quantity, total } = entry
    const [name, source] = [intern(entry.name), intern(entry.source)]
    const createdAt = format(entry.createdAt)
    return Object.freeze({
      platformId: intern(entry.platformId),
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
