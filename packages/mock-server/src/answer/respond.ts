import { operations as facts } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import { errorResult, type OperationRequest, type OperationResult } from '../http.ts'
import { operations, type Body, type LedgerView } from './operations.ts'
import type { Page, Part } from './pages.ts'
import { parseQuery } from './parse-query.ts'

/** As much of a request as decides what it returns. */
type Query = Pick<OperationRequest, 'endpoint' | 'platformId' | 'query'>

const isNotFound: Record<Assumptions['notFoundWhen'], (page: Page<Body>, hasNone: () => boolean) => boolean> = {
  'no-match': ({ hasMatches }) => !hasMatches,
  'empty-page': ({ isEmpty }) => isEmpty,
  'empty-ledger': ({ isEmpty }, hasNone) => isEmpty && hasNone(),
}

/** What a query returns: a page, or what rejects it, which is an error that names what is wrong with it, or a 404. */
export const pageOrError = (ledger: LedgerView, request: Query): Page<Body> | OperationResult => {
  const { transactions, assumptions } = ledger
  const { endpoint, platformId = '' } = request
  const operation = operations[endpoint]
  const { parsed, violations } = parseQuery(endpoint, operation.defaults, request.query, assumptions)
  if (violations.length > 0) {
    return errorResult(
      { status: assumptions.invalidParameterStatus, message: `Invalid query: ${violations.join('; ')}` },
      'parameters',
    )
  }
  const page = operation.page(ledger, parsed, platformId)
  if (!page.isEmpty) return page
  const isError = isNotFound[assumptions.notFoundWhen](page, () => operation.hasNone(transactions, platformId))
  return isError ? errorResult(facts[endpoint].nothingFound, 'data') : page
}

export const bodyOf = ({ parts }: Page<Body>, only?: readonly Part[]): Body => {
  const computed = Object.entries(parts).filter(([name]) => only?.includes(name as Part) ?? true)
  return Object.assign({ success: true }, ...computed.map(([name, compute]) => ({ [name]: compute() }))) as Body
}

export const respond = (ledger: LedgerView, request: OperationRequest): OperationResult => {
  const returned = pageOrError(ledger, request)
  return 'status' in returned ? returned : { status: 200, body: JSON.stringify(bodyOf(returned)) }
}
