import type { AssumptionRow } from './row.ts'

const limitCounts = 'Whether page and limit count user groups or individual transactions: not shown.'
const noSummary = 'Summary object: totalTransactions, totalValue, uniqueUsers; what they cover: not shown.'

/** What a reply holds and in which order, where the document does not say. Spec: Endpoints, 1 and 2. */
export const dataRows = {
  pageUnit: {
    question: limitCounts,
    readings: [
      ['transaction', 'sorted transactions are cut into pages, then grouped: a user may stand on several pages'],
      ['group', 'users are cut into pages, each with all of their matching transactions'],
    ],
  },
  groupOrder: {
    question: 'The ordering of the groups themselves: not shown.',
    readings: [
      ['first-transaction', 'by where the first transaction of the user stands in what is grouped'],
      ['platform-id', 'by platformId, as text'],
      ['ledger', 'by who appeared in the ledger first'],
    ],
  },
  nameOrder: {
    question: 'How names are ordered when sorting by name: not shown.',
    readings: [
      ['code-unit', 'by UTF-16 code units: Z before a'],
      ['case-insensitive', 'in lower case: a before Z'],
    ],
  },
  tieOrder: {
    question: 'The order of transactions with equal sort values: not shown.',
    readings: [
      ['transaction-id', 'by transactionId upwards, whatever the direction'],
      ['ledger', 'as they entered the ledger, whatever the direction'],
    ],
  },
  notFoundWhen: {
    question: '404: no transactions found for the guild or the user; whether filters and pages count: not shown.',
    readings: [
      ['no-match', '404 when the filters match nothing'],
      ['empty-page', '404 also when there are matches, but none on the page asked for'],
      ['empty-ledger', '404 only when the guild or the user has no transactions at all; else 200 without data'],
    ],
  },
  emptyTotalPages: {
    question: 'totalPages when nothing matches: not shown.',
    readings: [
      [0, 'there are no pages'],
      [1, 'there is one page, and it is empty'],
    ],
  },
  summaryScope: {
    question: noSummary,
    readings: [
      ['match', 'everything that matches the filters'],
      ['guild', 'everything in the guild, whatever the filters'],
      ['page', 'what stands on the page'],
    ],
  },
  totalValueOf: {
    question: noSummary,
    readings: [
      ['total', 'totalValue sums up total'],
      ['amount', 'totalValue sums up amount'],
    ],
  },
  createdAtFormat: {
    question: 'createdAt: ISO 8601 date-time, UTC; in which of its spellings: not shown.',
    readings: [
      ['milliseconds', '2026-01-31T10:00:00.000Z'],
      ['seconds', '2026-01-31T10:00:00Z'],
      ['offset', '2026-01-31T10:00:00.000+00:00'],
    ],
  },
} as const satisfies Record<string, AssumptionRow>
