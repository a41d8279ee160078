import { listAll, sendToMock } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory, type Fault } from '../index.ts'

const pathOf = (user: string) => `/guild/ledger/${user}/transactions`

it.each<[string, Fault, number[]]>([
  ['a user, whichever endpoint lists them', { kind: 'internal-error', platformId: 'ann' }, [200, 500, 500, 200]],
  ['an endpoint', { kind: 'internal-error', endpoint: 'user' }, [200, 200, 500, 500]],
  ['a query', { kind: 'internal-error', query: { platformId: 'ann' } }, [200, 500, 200, 200]],
  ['another key', { kind: 'internal-error', keyId: 'key-2' }, [200, 200, 200, 200]],
])('a fault may apply to the requests for %s only', (_what, fault, expected) => {
  const mock = createMockLedger({ transactions: 0 })
  const transaction = createTransactionFactory()
  mock.guild.add([transaction({ platformId: 'ann' }), transaction({ platformId: 'bob' })])
  mock.guild.createKey({ name: 'second', scopes: [], expiresAt: '2999-01-01' })
  mock.guild.fault(fault)
  const targets = [listAll, `${listAll}?platformId=ann`, pathOf('ann'), pathOf('bob')]

  expect(targets.map((target) => sendToMock(mock, mock.apiKey, target).status)).toEqual(expected)
})
