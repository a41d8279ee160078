import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Schedule } from '../../store/index.ts'
import { requireArray } from '../body.ts'
import { arrayOf, isoDate, string, type AdminRequest, type AdminRoutes } from '../route.ts'
import { findGuild } from './find-guild.ts'

const example = {
  platformId: '8412',
  transactionId: '6f9b6f0e-3c1d-4a52-9f0a-2b7c1d5e8a90',
  amount: 2.5,
  quantity: 2,
  name: 'Iron Sword',
  source: 'shop',
  total: 5,
  createdAt: '2026-01-31T10:00:00.000Z',
}

const transactions = {
  description: 'The transactions, each with the `platformId` of its user.',
  schema: arrayOf('LedgerEntry'),
}

const drafts = {
  description:
    'The transactions. A missing field gets a value: a new id, a user, an item, and a time one second after the newest transaction.',
  schema: arrayOf('TransactionDraft'),
}

const countOf = (name: string) => ({
  description: 'The number of transactions.',
  schema: { type: 'object', required: [name], properties: { [name]: { type: 'integer', minimum: 0 } } },
})

const scheduleTransactions = (request: AdminRequest) => {
  const { transactions: given, ...schedule } = request.fields
  const guild = findGuild(request)
  const entries = requireArray('transactions', given) as Partial<LedgerEntry>[]
  guild.schedule(entries, schedule as unknown as Schedule)
  return { scheduled: entries.length }
}

export const transactionRoutes: AdminRoutes = {
  '/_mock/guilds/{id}/transactions': {
    GET: {
      operationId: 'listTransactions',
      summary: 'Lists all transactions of a guild in the order in which they were added',
      covers: ['guild.transactions', 'guild.export'],
      response: transactions,
      run: (request) => findGuild(request).transactions,
    },
    POST: {
      operationId: 'addTransactions',
      summary: 'Adds transactions and fills in missing fields; if one of them is invalid, none is added',
      covers: ['guild.add'],
      requestBody: { json: drafts, example: [{ platformId: '8412', transactionId: example.transactionId }] },
      response: { description: 'The transactions as they were added.', schema: arrayOf('LedgerEntry') },
      creates: true,
      run(request) {
        return findGuild(request).add(requireArray('body', request.body) as Partial<LedgerEntry>[])
      },
    },
    DELETE: {
      operationId: 'removeTransactions',
      summary: 'Removes transactions; if one of the ids is unknown, none is removed',
      covers: ['guild.remove'],
      requestBody: {
        fields: {
          transactionIds: {
            description: 'Ids of the transactions.',
            schema: { type: 'array', items: string },
            required: true,
          },
        },
        example: { transactionIds: [example.transactionId] },
      },
      run: (request) =>
        findGuild(request).remove(requireArray('transactionIds', request.fields['transactionIds']) as string[]),
    },
  },
  '/_mock/guilds/{id}/transactions/latest': {
    GET: {
      operationId: 'listLatestTransactions',
      summary: 'Lists the latest 20 transactions of a guild in the order in which they were added',
      covers: ['guild.transactions'],
      response: transactions,
      run: (request) => findGuild(request).transactions.slice(-20),
    },
  },
  '/_mock/guilds/{id}/transactions/load': {
    POST: {
      operationId: 'loadTransactions',
      summary: 'Adds transactions from text; if one of them is invalid, none is added',
      covers: ['guild.load'],
      requestBody: {
        text: {
          description: 'One JSON object per line, response bodies of the service, or a HAR file; up to 64 MiB.',
          schema: string,
        },
        example: JSON.stringify(example),
      },
      response: countOf('loaded'),
      creates: true,
      run: (request) => ({ loaded: findGuild(request).load(request.body) }),
    },
  },
  '/_mock/guilds/{id}/transactions/schedule': {
    POST: {
      operationId: 'scheduleTransactions',
      summary: 'Schedules transactions to be added later, by exactly one of `at`, `afterMs` and `afterRequests`',
      covers: ['guild.schedule'],
      requestBody: {
        fields: {
          transactions: { ...drafts, required: true },
          at: { description: 'Time on the clock of the mock.', schema: isoDate },
          afterMs: {
            description: 'Milliseconds from now on the clock of the mock.',
            schema: { type: 'integer', minimum: 0 },
          },
          afterRequests: {
            description: 'Number of further requests: with 1 the transactions are visible from the second request on.',
            schema: { type: 'integer', minimum: 1 },
          },
        },
        example: { transactions: [example], afterRequests: 1 },
      },
      response: countOf('scheduled'),
      creates: true,
      run: scheduleTransactions,
    },
  },
}
