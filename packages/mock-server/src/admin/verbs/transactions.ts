import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { When } from '../../store/index.ts'
import { listOf } from '../body.ts'
import { isoDate, manyOf, text, type Call, type Verbs } from '../verb.ts'
import { guildOf } from './guild-of.ts'

const row = {
  platformId: '8412',
  transactionId: '6f9b6f0e-3c1d-4a52-9f0a-2b7c1d5e8a90',
  amount: 2.5,
  quantity: 2,
  name: 'Iron Sword',
  source: 'shop',
  total: 5,
  createdAt: '2026-01-31T10:00:00.000Z',
}

const rows = manyOf('LedgerEntry')

const schedule = (call: Call) => {
  const { transactions, ...when } = call.fields
  guildOf(call).schedule(listOf('transactions', transactions) as LedgerEntry[], when as unknown as When)
}

export const transactionVerbs: Verbs = {
  '/_mock/guilds/{id}/transactions': {
    GET: {
      id: 'listTransactions',
      summary: 'All transactions of a guild, as they entered its ledger',
      does: ['guild.transactions'],
      replies: { is: 'The transactions, each with its user.', schema: rows },
      run: (call) => guildOf(call).transactions,
    },
    POST: {
      id: 'addTransactions',
      summary: 'Adds transactions: all, or none if one of them is wrong',
      does: ['guild.add'],
      takes: { json: { is: 'The transactions, each with its user.', schema: rows }, example: [row] },
      run: (call) => guildOf(call).add(listOf('The body', call.body) as LedgerEntry[]),
    },
    DELETE: {
      id: 'removeTransactions',
      summary: 'Removes transactions: all that are named, or none if there is no such one',
      does: ['guild.remove'],
      takes: {
        fields: {
          transactionIds: { is: 'Which ones.', schema: { type: 'array', items: text }, isRequired: true },
        },
        example: { transactionIds: [row.transactionId] },
      },
      run: (call) => guildOf(call).remove(listOf('transactionIds', call.fields['transactionIds']) as string[]),
    },
  },
  '/_mock/guilds/{id}/transactions/load': {
    POST: {
      id: 'loadTransactions',
      summary: 'Adds transactions from text: all, or none if one of them is wrong',
      does: ['guild.load'],
      takes: {
        text: {
          is: 'A JSON object a line, or replies of the service; up to 64 MiB.',
          schema: text,
        },
        example: JSON.stringify(row),
      },
      replies: {
        is: 'How many there were.',
        schema: { type: 'object', required: ['loaded'], properties: { loaded: { type: 'integer', minimum: 0 } } },
      },
      run: (call) => ({ loaded: guildOf(call).load(call.body) }),
    },
  },
  '/_mock/guilds/{id}/transactions/schedule': {
    POST: {
      id: 'scheduleTransactions',
      summary: 'Lets transactions enter the ledger later, by one of `at`, `afterMs` and `afterRequests`',
      does: ['guild.schedule'],
      takes: {
        fields: {
          transactions: { is: 'The transactions, each with its user.', schema: rows, isRequired: true },
          at: { is: 'A time of the clock of the mock.', schema: isoDate },
          afterMs: { is: 'Milliseconds from now on that clock.', schema: { type: 'integer', minimum: 0 } },
          afterRequests: {
            is: 'So many more requests: with 1 they are there from the second one on.',
            schema: { type: 'integer', minimum: 1 },
          },
        },
        example: { transactions: [row], afterRequests: 1 },
      },
      run: schedule,
    },
  },
}
