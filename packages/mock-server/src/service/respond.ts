import { documentedErrors, type Endpoint, type GuildResponse, type UserResponse } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'
import { formatErrorBody, type OperationRequest, type OperationResult, type RejectedBy } from '../http.ts'
import type { TransactionStore } from '../store/index.ts'
import { guildPage, userPage } from './page.ts'
import { parseQuery } from './parse-query.ts'

interface StatusAndMessage {
  readonly status: number
  readonly message: string
}

/** As much of a guild as decides what a query returns. */
export interface LedgerView {
  readonly transactions: TransactionStore
  readonly assumptions: Assumptions
}

/** As much of a request as decides what it returns. */
export type Query = Pick<OperationRequest, 'endpoint' | 'platformId' | 'query'>

/** An error response that rejects a request. */
export const errorResult = ({ status, message }: StatusAndMessage, rejectedBy: RejectedBy): OperationResult => ({
  status,
  body: formatErrorBody(message),
  rejectedBy,
})

const notFound = (endpoint: Endpoint): OperationResult =>
  errorResult(endpoint === 'guild' ? documentedErrors.noGuildTransactions : documentedErrors.noUserTransactions, 'data')

const hasNone = ({ transactions }: LedgerView, { endpoint, platformId }: Query): boolean =>
  endpoint === 'guild' ? transactions.size === 0 : !transactions.users().has(platformId)

/** Whether an empty page with a total is a 404. */
const isNotFound = (ledger: LedgerView, request: Query, totalOf: () => number): boolean => {
  const tests: Record<Assumptions['notFoundWhen'], () => boolean> = {
    'no-match': () => totalOf() === 0,
    'empty-page': () => true,
    'empty-ledger': () => hasNone(ledger, request),
  }
  return tests[ledger.assumptions.notFoundWhen]()
}

/** What a query returns: a page, or what rejects it, which is an error that names what is wrong with it, or a 404. */
export const pageOrError = (ledger: LedgerView, request: Query): GuildResponse | UserResponse | OperationResult => {
  const { transactions, assumptions } = ledger
  const { endpoint, platformId } = request
  const { parsed, violations } = parseQuery(endpoint, request.query, assumptions)
  if (violations.length > 0) {
    return errorResult(
      { status: assumptions.invalidParameterStatus, message: `Invalid query: ${violations.join('; ')}` },
      'parameters',
    )
  }
  const { isEmpty, body } =
    endpoint === 'guild'
      ? guildPage(transactions, parsed, assumptions)
      : userPage(transactions, platformId, parsed, assumptions)
  return isEmpty && isNotFound(ledger, request, () => body.pagination.total) ? notFound(endpoint) : body
}

/** What a query returns, as a response. */
export const respond = (ledger: LedgerView, request: OperationRequest): OperationResult => {
  const returned = pageOrError(ledger, request)
  return 'status' in returned ? returned : { status: 200, body: JSON.stringify(returned) }
}
