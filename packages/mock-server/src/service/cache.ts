import type { Assumptions } from '../assumptions/index.ts'
import type { OperationRequest, OperationResult } from '../http.ts'
import type { LedgerView } from './respond.ts'

/** The latest results of one guild, bodies included, for as long as its transactions and assumptions stay the same. */
export interface ResponseCache {
  /** The result kept for such a request, else the one that `respond` returns, which is kept. */
  resultOf(
    ledger: LedgerView,
    request: OperationRequest,
    respond: (ledger: LedgerView, request: OperationRequest) => OperationResult,
  ): OperationResult
}

// A page of 100 transactions takes some 20 KB, and a client rarely requests so many different pages again.
const capacity = 64

export const createResponseCache = (): ResponseCache => {
  const results = new Map<string, OperationResult>()
  let table: unknown
  let assumptions: Assumptions | undefined
  return {
    resultOf(ledger, request, respond) {
      const current = ledger.transactions.state()
      if (current !== table || ledger.assumptions !== assumptions) results.clear()
      table = current
      assumptions = ledger.assumptions
      // A query string cannot contain `#`: it would have ended there.
      const key = `${request.endpoint} ${request.search}#${request.platformId}`
      const known = results.get(key)
      if (known) return known
      const result = respond(ledger, request)
      if (results.size >= capacity) results.delete(results.keys().next().value as string)
      results.set(key, result)
      return result
    },
  }
}
