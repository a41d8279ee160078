import type { Said } from './said.ts'

const cover = 'whether it covers the whole guild, everything that matches, or the page'
const counted = 'whether transactions or user groups are counted where all users are listed'

/** Every schema of a body and every field in it. Spec: Resources and their fields; Endpoints. */
export const schemaWords: Readonly<Record<string, Said & { fields: Readonly<Record<string, Said>> }>> = {
  Transaction: {
    is: "One transaction of the guild's ledger.",
    open: ['how a transaction comes to be', 'whether it has states and passes from one to another'],
    fields: {
      transactionId: { is: 'Identifier in the style of a UUID.', open: ['its UUID version'] },
      amount: {
        is: 'May have decimals.',
        open: ['unit or currency', 'how it relates to quantity and total'],
      },
      quantity: {
        is: 'How many or how much.',
        open: ['whether it is always whole', 'how it relates to amount and total'],
      },
      name: { is: 'Name of the item.' },
      source: {
        is: 'Where the transaction came from; the query parameter `from` filters by it.',
        open: ['which values there are'],
      },
      total: { is: 'May have decimals.', open: ['unit or currency', 'how it relates to amount and quantity'] },
      createdAt: {
        is: 'ISO 8601 date-time in UTC.',
        open: ['which spelling of it, such as `Z` or `+00:00`, with or without fractions of a second'],
      },
    },
  },
  UserGroup: {
    is: 'The transactions of one user.',
    fields: {
      platformId: { is: 'Identifier of the user on the game platform.', open: ['its format'] },
      transactions: { is: "The user's transactions.", open: ['the order of those that sort alike'] },
    },
  },
  Pagination: {
    is: 'Where the page stands in the result.',
    fields: {
      page: { is: 'The current page.', open: ['the largest there can be'] },
      limit: { is: 'The page size used.', open: [counted] },
      total: { is: 'How many items match.', open: [counted] },
      totalPages: { is: 'How many pages there are.', open: ['its value when nothing matches'] },
    },
  },
  Summary: {
    is: 'Figures about the listing of all users. The listing of one user has none.',
    fields: {
      totalTransactions: { is: 'Number of transactions.', open: [cover] },
      totalValue: { is: 'Their value.', open: [cover, 'which field is added up', 'unit or currency'] },
      uniqueUsers: { is: 'Number of different users.', open: [cover] },
    },
  },
  GuildReply: {
    is: 'A page of the transactions of all users, grouped by user.',
    fields: {
      success: { is: 'Always true in a 200 reply.' },
      data: { is: 'The transactions on the page, grouped by user.', open: ['the order of the groups'] },
      pagination: { is: 'Where the page stands in the result.' },
      summary: { is: 'Figures about the listing.' },
    },
  },
  UserReply: {
    is: 'A page of the transactions of one user.',
    fields: {
      success: { is: 'Always true in a 200 reply.' },
      data: { is: 'The user and the transactions on the page.' },
      pagination: { is: 'Where the page stands in the result.' },
    },
  },
  ErrorBody: {
    is: 'The body of every error.',
    fields: {
      success: { is: 'Always false in an error.' },
      message: {
        is: 'What went wrong, in the words listed with each status.',
        open: ['the words for causes that are not listed'],
      },
    },
  },
}
