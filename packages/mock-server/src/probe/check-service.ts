import { documentedErrors, transaction, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { issuesOf } from '@guild-ledger/validation'
import { fieldIn, groupsIn, type RawResponse } from './model/observe.ts'
import { ProbeError } from './problem.ts'

const messageOf = ({ body }: RawResponse): string => {
  const message = fieldIn(body, 'message')
  return typeof message === 'string' ? ` ${message.slice(0, 200)}` : ''
}

/** Checks the response to the first request: whether this is the service, and whether it accepts the key. */
export const checkService = (response: RawResponse): void => {
  const { status, body } = response
  const failed = `GET /guild/ledger/transactions failed: ${status}${messageOf(response)}`
  if (status === 200) {
    if (groupsIn(body) !== undefined && fieldIn(body, 'pagination') !== undefined) return
    throw new ProbeError(
      'not-the-service',
      `${failed}: the response is not a page of transactions. Check the base URL.`,
    )
  }
  if (status === 401 || status === 402 || status === 403) {
    throw new ProbeError('key', `${failed}. The service rejects the key: create a new one with the scope guild:read.`)
  }
  const message = fieldIn(body, 'message')
  if (status === 400 && message === documentedErrors.missingGuildId.message) {
    throw new ProbeError('key', `${failed}. The key is bound to no guild: create one for a guild.`)
  }
  if (status === 404 && message === documentedErrors.noGuildTransactions.message) return
  const kind = status >= 500 ? 'unreachable' : 'not-the-service'
  throw new ProbeError(kind, `${failed}. ${status >= 500 ? 'Try again later.' : 'Check the base URL.'}`)
}

/** Checks a later response: a key that is no longer accepted ends the probe. */
export const checkKeyStillWorks = ({ status, body }: RawResponse): void => {
  if (status !== 401 || fieldIn(body, 'message') !== documentedErrors.invalidApiKey.message) return
  throw new ProbeError('key', 'The service stopped accepting the key while it was probed: create a new one.')
}

/** Checks transactions: a mock can hold only those that the spec allows. */
export const checkTransactions = (entries: readonly LedgerEntry[]): void => {
  for (const entry of entries) {
    const [issue] = issuesOf(transaction, entry)
    if (!issue) continue
    // What was received is left out: it may identify somebody.
    const { path, expected } = issue
    throw new ProbeError(
      'not-the-service',
      `GET /guild/ledger/transactions failed: \`${path}\` of a transaction must be ${expected}, as the spec says. Check the base URL.`,
    )
  }
}
