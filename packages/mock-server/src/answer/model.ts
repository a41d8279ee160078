import { requiredScope, type Endpoint, type ErrorBody, type LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import type { RejectedBy } from '../http.ts'
import type { SentQuery } from '../request-matcher.ts'
import { createTransactionStore, type TransactionStore } from '../store/transactions.ts'
import type { ApiKey } from '../store/keys.ts'
import { keyError } from './key-error.ts'
import type { Body } from './operations.ts'
import type { Part } from './pages.ts'
import { bodyOf, pageOrError } from './respond.ts'

/** The transactions of a guild, made ready for queries by `loadLedger`. */
export interface LoadedLedger {
  /** Only `respond` knows its shape. */
  readonly store: object
}

/** The API key that a request has: one that may be used, or one that fails a check. */
export type KeyState = 'valid' | 'expired' | 'unscoped' | 'lapsed'

/** A request to one of the two operations, as plain data. */
export interface ModelRequest {
  /** `guild` for list-all, `user` for the transactions of one user. Spec: Endpoints. */
  readonly endpoint: Endpoint
  /** The user in the path; only with `endpoint: 'user'`. */
  readonly platformId?: string
  /** The parameters as sent, decoded; an array where a parameter is repeated. */
  readonly query?: SentQuery
  /**
   * What the key may do: `expired`, `unscoped` (it lacks the scope `guild:read`) and `lapsed` (its guild has no active
   * subscription) are rejected.
   *
   * @default 'valid'
   */
  readonly key?: KeyState
}

/** A page, as its JSON is parsed. Spec: Endpoints. */
export interface ModelPage {
  /** Always 200. */
  readonly status: 200
  /** The response body. */
  readonly body: Body
  /** No check rejected the request. */
  readonly rejectedBy?: undefined
}

/** An error response. Spec: Errors. */
export interface ModelError {
  /** The status of the response. */
  readonly status: number
  /** The response body. */
  readonly body: ErrorBody
  /** Which check of the service rejected the request. */
  readonly rejectedBy: RejectedBy
}

/** What the service responds with. */
export type ModelResponse = ModelPage | ModelError

/**
 * Makes transactions ready for any number of `respond` calls. They are in the order in which they entered the ledger.
 *
 * @throws {TypeError} A transaction breaks the contract, or two have the same `transactionId`.
 */
export const loadLedger = (transactions: readonly LedgerEntry[]): LoadedLedger => {
  const store = createTransactionStore()
  store.add(transactions)
  return { store }
}

const keyOf = (state: KeyState): ApiKey => ({
  id: 'key-1',
  name: state,
  guildId: 'guild-1',
  scopes: state === 'unscoped' ? [] : [requiredScope],
  expiresAt: state === 'expired' ? '1970-01-01T00:00:00.000Z' : '9999-12-31T23:59:59.999Z',
})
const now = Date.UTC(2026, 0)

/**
 * What the service responds with to a request, under assumptions: a pure function, the same one that mocks use. It knows
 * no rate limit, no faults and no time. It reads an assumption only where its value may matter; `recordReads` tells which.
 *
 * @param only The parts of a page to compute: a body with less depends on fewer assumptions. @default all
 */
export const respond = (
  ledger: LoadedLedger,
  { endpoint, platformId = '', query = {}, key = 'valid' }: ModelRequest,
  assumptions: Assumptions,
  only?: readonly Part[],
): ModelResponse => {
  const rejected = keyError(keyOf(key), key === 'lapsed' ? 'none' : undefined, assumptions, now)
  const returned =
    rejected ??
    pageOrError({ transactions: ledger.store as TransactionStore, assumptions }, { endpoint, platformId, query })
  if (!('status' in returned)) return { status: 200, body: bodyOf(returned, only) }
  const { status, body, rejectedBy = 'parameters' } = returned
  return { status, body: JSON.parse(body) as { success: false; message: string }, rejectedBy }
}
