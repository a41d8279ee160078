import type { CallOptions, LedgerEntry, UserGroup } from '@guild-ledger/sdk'
import type { Operation } from '../../sdk/src/operations/index.ts'
import { entriesOf, transactionItems } from '../../sdk/src/operations/transactions.ts'
import type { Context, ResponseInfo } from '../../sdk/src/transport/index.ts'

const details = {
  method: 'GET',
  endpoint: '/guild/ledger/transactions',
  url: 'https://ledger.test/guild/ledger/transactions',
  attempts: 1,
  callId: 'none',
} as const

const context: Context = {
  retry: { maxRetries: 2, maxRateLimitRetries: 10, baseDelayMs: 300, maxDelayMs: 20_000 },
  closed: new AbortController().signal,
  pace: () => 10,
  serviceAheadMs: () => 0,
  log: () => {},
}

/** An operation, from a function that returns one page. */
export const operationOf = <Query extends object, Page>(
  { groups }: { readonly groups: (page: Page) => readonly UserGroup[] },
  list: (query: Query, options: CallOptions) => Promise<Page>,
): Operation<Query, Page, LedgerEntry> => ({
  ...transactionItems,
  groupsOf: (page) => entriesOf(groups(page)),
  context,
  path: details.endpoint,
  endpoint: details.endpoint,
  check: () => {},
  read: async (query, options) => {
    return { value: await list(query, options), details: () => details, size: 0, response: {} as ResponseInfo }
  },
})
