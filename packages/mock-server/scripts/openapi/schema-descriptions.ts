import type { Description } from './describe.ts'

const scope = 'whether it covers the whole guild, all matching transactions, or the page'
const unit = 'whether transactions or user groups are counted where all users are listed'

/** Describes every schema of a body and every field in it. Spec: Resources and their fields; Endpoints. */
export const schemaDescriptions: Readonly<
  Record<string, Description & { fields: Readonly<Record<string, Description>> }>
> = {
  Transaction: {
    text: "One transaction of the guild's ledger.",
    unspecified: ['how transactions come into existence', 'their states and transitions'],
    fields: {
      transactionId: { text: 'UUID-style identifier.', unspecified: ['the UUID version'] },
      amount: {
        text: 'May have decimals.',
        unspecified: ['unit or currency', 'the relation to quantity and total'],
      },
      quantity: {
        text: 'Quantity of the item.',
        unspecified: ['whether it is always an integer', 'the relation to amount and total'],
      },
      name: { text: 'Name of the item.' },
      source: {
        text: 'Where the transaction came from; the query parameter `from` filters by it.',
        unspecified: ['the allowed values'],
      },
      total: { text: 'May have decimals.', unspecified: ['unit or currency', 'the relation to amount and quantity'] },
      createdAt: {
        text: 'ISO 8601 date-time in UTC.',
        unspecified: ['the format, such as `Z` or `+00:00`, with or without fractions of a second'],
      },
    },
  },
  UserGroup: {
    text: 'The transactions of one user.',
    fields: {
      platformId: { text: 'Identifier of the user on the game platform.', unspecified: ['its format'] },
      transactions: { text: "The user's transactions.", unspecified: ['the order of ties'] },
    },
  },
  Pagination: {
    text: 'Position of the page in the result.',
    fields: {
      page: { text: 'Number of the current page.', unspecified: ['the largest page number'] },
      limit: { text: 'The page size used.', unspecified: [unit] },
      total: { text: 'Total number of matching items.', unspecified: [unit] },
      totalPages: { text: 'Total number of pages.', unspecified: ['its value when nothing matches'] },
    },
  },
  Summary: {
    text: 'Totals of the list of all users. The list of one user has none.',
    fields: {
      totalTransactions: { text: 'Number of transactions.', unspecified: [scope] },
      totalValue: {
        text: 'Value of the transactions.',
        unspecified: [scope, 'which field is summed', 'unit or currency'],
      },
      uniqueUsers: { text: 'Number of different users.', unspecified: [scope] },
    },
  },
  GuildResponse: {
    text: 'A page of the transactions of all users, grouped by user.',
    fields: {
      success: { text: 'Always true in a 200 response.' },
      data: { text: 'The transactions on the page, grouped by user.', unspecified: ['the order of the groups'] },
      pagination: { text: 'Position of the page in the result.' },
      summary: { text: 'Totals of the list.' },
    },
  },
  UserResponse: {
    text: 'A page of the transactions of one user.',
    fields: {
      success: { text: 'Always true in a 200 response.' },
      data: { text: 'The user, and the transactions on the page.' },
      pagination: { text: 'Position of the page in the result.' },
    },
  },
  ErrorBody: {
    text: 'The body of every error response.',
    fields: {
      success: { text: 'Always false in an error response.' },
      message: {
        text: 'The error message listed with the status.',
        unspecified: ['the messages of errors that are not listed'],
      },
    },
  },
}
