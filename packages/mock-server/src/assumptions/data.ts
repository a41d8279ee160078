import type { AssumptionDefinition } from './definition.ts'

const limitCounts = 'Whether page and limit count user groups or individual transactions: not shown.'
const noSummary = 'Summary object: totalTransactions, totalValue, uniqueUsers; what they cover: not shown.'

/** What a response contains and in which order, where the spec does not say. Spec: Endpoints, 1 and 2. */
export const dataAssumptions = {
  pageUnit: {
    question: limitCounts,
    remedy: 'Paginate with `iterate()`, or count the transactions received; never derive `totalPages` from `limit`.',
    values: [
      ['transaction', 'sorted transactions are split into pages, then grouped: a user may be on several pages'],
      ['group', 'users are split into pages, each with all of their matching transactions'],
    ],
  },
  totalUnit: {
    question: 'total: integer (total number of matching items); what an item is: not shown.',
    remedy:
      'Iterate with `ledger.transactions.iterate()`, and count what it yields: do not compare `pagination.total` with the number of transactions or users.',
    values: [
      ['page-unit', 'what pages count'],
      ['other', 'for the guild, users if pages count transactions, and transactions if pages count users'],
    ],
  },
  groupOrder: {
    question: 'The ordering of the groups themselves: not shown.',
    remedy: 'Sort the users yourself, or look them up by `platformId`; never rely on the order of the groups.',
    values: [
      ['first-transaction', 'in the order of their first transaction in the sorted result'],
      ['platform-id', 'by platformId, as a string'],
      ['platform-id-descending', 'by platformId, as a string, in descending order'],
      ['ledger', 'in the order in which they first entered the ledger'],
    ],
  },
  nameOrder: {
    question: 'How names are ordered when sorting by name: not shown.',
    remedy: 'Sort by name yourself with the comparison you need, such as `localeCompare`.',
    values: [
      ['code-point', 'by Unicode code points: Z before a'],
      ['case-insensitive', 'in lower case: a before Z'],
      ['language', 'as a dictionary does, in English: a before A before é before Z'],
    ],
  },
  tieOrder: {
    question: 'The order of transactions with equal sort values: not shown.',
    remedy: 'Break ties yourself, for example by `transactionId`; compare transactions that tie as a set.',
    values: [
      ['transaction-id', 'by ascending transactionId, whatever the direction'],
      ['ledger', 'as they entered the ledger, whatever the direction'],
    ],
  },
  notFoundWhen: {
    question: '404: no transactions found for the guild or the user; whether filters and pages count: not shown.',
    remedy: 'Use `iterate()`, which treats a 404 and an empty page the same; with `list`, handle both.',
    values: [
      ['no-match', '404 when the filters match nothing'],
      ['empty-page', '404 also when there are matches, but none on the requested page'],
      ['empty-ledger', '404 only when the guild or the user has no transactions at all; else 200 without data'],
    ],
  },
  emptyTotalPages: {
    question: 'totalPages when nothing matches: not shown.',
    remedy: 'Test for an empty page by its data; with `totalPages`, accept 0 and 1.',
    values: [
      [0, 'there are no pages'],
      [1, 'there is one page, and it is empty'],
    ],
  },
  summaryScope: {
    question: noSummary,
    remedy: 'Add up the values with `iterate()`; use `summary` only without filters, and if `totalPages` is 1.',
    values: [
      ['match', 'everything that matches the filters'],
      ['guild', 'everything in the guild, whatever the filters'],
      ['page', 'what is on the page'],
    ],
  },
  totalValueOf: {
    question: noSummary,
    remedy: 'Add up `total` yourself with `iterate()` instead of reading `summary.totalValue`.',
    values: [
      ['total', 'totalValue is the sum of total'],
      ['amount', 'totalValue is the sum of amount'],
    ],
  },
  createdAtFormat: {
    question: 'createdAt: ISO 8601 date-time, UTC; in which of its forms: not shown.',
    remedy: 'Compare dates as points in time, `Date.parse(createdAt)`, never as strings.',
    values: [
      ['milliseconds', '2026-01-31T10:00:00.000Z'],
      ['seconds', '2026-01-31T10:00:00Z'],
      ['offset', '2026-01-31T10:00:00.000+00:00'],
      ['microseconds', '2026-01-31T10:00:00.000000Z'],
    ],
  },
} as const satisfies Record<string, AssumptionDefinition>
