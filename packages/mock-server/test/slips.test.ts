import { createMockLedger, createTransactionFactory, type MockLedger } from '@guild-ledger/mock-server'
import { createAdmin, createMockClock } from '@guild-ledger/mock-server/admin'
import { expect, it } from 'vitest'

type Slip = (mock: MockLedger, anything: never) => unknown

it.each<[string, Slip, string | Error]>([
  ["guild.remove('x')", ({ guild }, x) => guild.remove(x), '`transactionIds` must be an array of ids, got'],
  [
    'guild.remove([5])',
    ({ guild }) => guild.remove([5 as never]),
    '`transactionIds[0]` must be a transactionId, got 5',
  ],
  ["guild.add('x')", ({ guild }, x) => guild.add(x), '`transactions` must be an array, got a string of 1 character'],
  ['a value for an id', ({ guild }) => guild.deleteKey(guild.apiKey), 'Ids of its keys: key-1.'],
  [
    'platformId: 12',
    () => createTransactionFactory()({ platformId: 12 as never }),
    '`platformId` must be a string, got 12',
  ],
  [
    'createdAt: new Date()',
    () => createTransactionFactory()({ createdAt: new Date(0) as never }),
    '`createdAt` must be a string, got the date 1970-01-01T00:00:00.000Z',
  ],
  [
    'a clock that returns a Date',
    () => createMockLedger({ now: (() => new Date()) as never }),
    '`now` must be a function that returns milliseconds since 1970, such as Date.now',
  ],
  ['createAdmin()', () => createAdmin(undefined as never), '`mock` must be a mock ledger, got undefined'],
  [
    'an unknown option of createAdmin',
    (mock) => createAdmin(mock, { tokn: 'x' } as never),
    'Unknown option `tokn`. Did you mean `token`?',
  ],
  ["createMockClock('x')", (_mock, x) => createMockClock(x), '`machineNow` must be a function, got'],
])('%s is an error that says what to do', (_what, slip, message) => {
  const mock = createMockLedger({ transactions: 2 })

  expect(() => slip(mock, 'x' as never)).toThrow(message)
  expect(mock.guild.transactions).toHaveLength(2)
})
