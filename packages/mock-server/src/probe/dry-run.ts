import { describeRequest } from './create-report.ts'
import { createLedgerCopy } from './model/ledger-copy.ts'
import { createCandidates } from './create-candidates.ts'
import { burstSize, mostRequests } from './rate-limit/plan.ts'
import type { ProbeOptions } from './types.ts'

const burstRequest = '  GET /guild/ledger/transactions?limit=1'

/** What a probe would send, as text. The rest depends on the ledger. */
export const plannedRequests = ({
  maxRequests,
  requestsPerSecond,
  maxTransactions,
  burst,
  keys,
}: ProbeOptions): string => {
  const first = '  GET /guild/ledger/transactions?sortBy=createdAt&sortOrder=asc&limit=100'
  const fixed = new Set(createCandidates(createLedgerCopy([])).map(({ request }) => `  ${describeRequest(request)}`))
  fixed.delete(first)
  const furtherKeys = [keys?.sameGuild, keys?.otherGuild].filter((key) => key !== undefined).length
  return `${[
    `At most ${maxRequests} requests, ${requestsPerSecond} per second, all of them GET. First the ledger, up to ${maxTransactions} transactions:`,
    first,
    'Then some of these, and others with users, sources and times of the ledger:',
    ...fixed,
    ...(burst
      ? [
          `At the end ${burstSize} to ${mostRequests(furtherKeys)} that exceed the rate limit, if that many are left of the ${maxRequests}:`,
          burstRequest,
          ...(furtherKeys > 0 ? ['  GET /guild/ledger/transactions?sortBy=createdAt&sortOrder=asc&limit=1'] : []),
        ]
      : []),
  ].join('\n')}\n`
}
