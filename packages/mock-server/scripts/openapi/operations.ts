import type { Endpoint } from '@guild-ledger/sdk/contract'
import type { SchemaName } from './schemas.ts'

/** How OpenAPI describes an operation. */
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly text: string
  /** What a success response is. */
  readonly success: string
  /** The interface in `contract/queries.ts` whose comments describe its parameters. */
  readonly query: 'GuildQuery' | 'UserQuery'
  /** Schema of the body of a success response. */
  readonly body: SchemaName
  /** Query of the response that is its example, and what that is. */
  readonly example: readonly [query: string, summary: string]
  /** Whether the spec gives its parameters defaults. */
  readonly hasDefaults: boolean
}

/** A row for each operation. */
export const described: Readonly<Record<Endpoint, Described>> = {
  guild: {
    operationId: 'listGuildTransactions',
    summary: 'Lists transactions of all users, grouped by user',
    text: 'Lists the transactions of all users of the guild, grouped by user, with pagination, filtering and sorting.',
    success: 'A page of transactions, grouped by user, with a summary.',
    query: 'GuildQuery',
    body: 'GuildResponse',
    example: ['limit=3', 'Three transactions of a seeded ledger'],
    hasDefaults: true,
  },
  user: {
    operationId: 'listUserTransactions',
    summary: 'Lists transactions of one user',
    text: 'Lists the transactions of one user of the guild, with pagination, filtering and sorting.',
    success: "A page of the user's transactions. There is no summary.",
    query: 'UserQuery',
    body: 'UserResponse',
    example: ['limit=2', 'Two transactions of one user of the same ledger'],
    hasDefaults: false,
  },
}
