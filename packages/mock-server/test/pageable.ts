import type { CallOptions } from '@guild-ledger/sdk'
import type { Pageable } from '../../sdk/src/pagination/page-result.ts'

const details = {
  method: 'GET',
  endpoint: '/guild/ledger/transactions',
  url: 'https://ledger.test/guild/ledger/transactions',
  attempts: 1,
  callId: 'none',
} as const

/** What a paginator needs of an operation, from a function that returns one page. */
export const pageableOf = <Query, Page>(
  facts: Pick<Pageable<Query, Page>, 'groups'>,
  list: (query: Query, options: CallOptions) => Promise<Page>,
): Pageable<Query, Page> => ({
  ...facts,
  check: () => {},
  read: async (query, options, use) => use(await list(query, options), () => details),
})
