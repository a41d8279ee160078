import { transaction, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { issuesOf } from '@guild-ledger/validation'
import { compareText } from '../infer/aspects.ts'
import { ProbeError } from '../problem.ts'

export const byTime = (a: LedgerEntry, b: LedgerEntry): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || compareText(a.transactionId, b.transactionId)

const fields = ['platformId', 'amount', 'quantity', 'name', 'source', 'total'] as const
/** Whether a transaction is known, and was not edited. */
export const isSame = (a: LedgerEntry | undefined, b: LedgerEntry): boolean =>
  fields.every((field) => a?.[field] === b[field]) && Date.parse(a?.createdAt ?? '') === Date.parse(b.createdAt)

/**
 * Returns a transaction that is as the spec has it.
 *
 * @throws {ProbeError} It is not.
 */
export const checked = (entry: LedgerEntry): LedgerEntry => {
  const [issue] = issuesOf(transaction, entry)
  // What was received is left out: it may identify somebody.
  if (issue) {
    throw new ProbeError(
      `GET /guild/ledger/transactions failed: \`${issue.path}\` of a transaction must be ${issue.expected}, as the spec says. Check the base URL.`,
    )
  }
  return entry
}
