import { platformId as userId, transaction, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { createChecker, describeValue, formatIssue, type Issue } from '@guild-ledger/validation'
import * as z from 'zod/mini'
import { timestampOf, format } from './timestamp.ts'

// The contract does not say so in its types, but its schemas are those of zod.
const [schema, user] = [transaction, userId] as unknown as [z.ZodMiniObject, z.ZodMiniType]
const entrySchema = z.extend(schema, { platformId: user })
const ledgerEntry = createChecker(entrySchema)

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

/** Valid transactions as the store keeps them: only the fields of the spec, `createdAt` to the millisecond. */
export const stored = (transactions: readonly LedgerEntry[]): LedgerEntry[] =>
  transactions.map(({ platformId, transactionId, amount, quantity, name, source, total, createdAt }) =>
    Object.freeze({
      platformId,
      transactionId,
      amount,
      quantity,
      name,
      source,
      total,
      createdAt: format(createdAt),
    }),
  )
