import { describeRequest } from './create-report.ts'
import { createLedgerCopy } from './model/ledger-copy.ts'
import { createCandidates } from './create-candidates.ts'
import type { ProbeOptions } from './types.ts'

/** What a probe would send, as text. The rest depends on the ledger. */
export const plannedRequests = ({ maxRequests, requestsPerSecond, maxTransactions }: ProbeOptions): string => {
  const fixed = createCandidates(createLedgerCopy([])).map(({ request }) => `  ${describeRequest(request)}`)
  return `${[
    `At most ${maxRequests} requests, ${requestsPerSecond} per second, all of them GET. First the ledger, up to ${maxTransactions} transactions:`,
    '  GET /guild/ledger/transactions?sortBy=createdAt&sortOrder=asc&limit=100',
    'Then some of these, and others with users, sources and times of the ledger:',
    ...fixed,
  ].join('\n')}\n`
}
