import { describe, expect, it, vi } from 'vitest'
import { listAll } from '@guild-ledger/test-kit'
import { createMockLedger } from '../index.ts'
import { createMockLedgerWith } from '../ledger/create-ledger.ts'
import { lazyLibraries } from '../libraries.ts'
import { warmUp } from './load.ts'
import { applySetUp } from './set-up.ts'

const key = { name: 'bot', scopes: ['guild:read'], expiresAt: '2030-01-01', value: 'bot-key' }
const now = () => Date.parse('2026-01-01')

describe('a set-up file', () => {
  it.each<[unknown, string]>([
    [[], '`the set-up` must be an object such as { "guild": { "keys": [] } }, got an array of 0'],
    [{ guild: [] }, '`guild` must be an object, got an array of 0'],
    [{ guild: { transactions: 5 } }, 'guild: Unknown field `transactions`'],
    [{ guild: { rateLimit: 0 } }, "guild: `rateLimit` must be an integer from 1 to 1000000, or 'off', got 0"],
    [{ guild: { keys: {} } }, 'guild: `keys` must be an array, got an object with 0 fields'],
    [
      { guild: { keys: [{ ...key, expires: 1 }] } },
      'guild: keys[0]: Unknown field `expires`. Did you mean `expiresAt`?',
    ],
    [{ guilds: [{}, { user: 1 }] }, 'guilds[1]: Unknown field `user`. Did you mean `users`?'],
    [{ guilds: [{ assumptions: { pageUnit: 1 } }] }, 'guilds[0]: `pageUnit` must be one of transaction, group, got 1'],
    [{ guilds: [{ faults: [null] }] }, 'guilds[0]: faults[0]: `it` must be an object, got null'],
    [{ guilds: [{ faults: [{ kind: 'hangs' }] }] }, 'guilds[0]: faults[0]: `kind` must be one of'],
    [{ unboundKeys: [{ name: 'a' }] }, 'unboundKeys[0]: `scopes` must be an array'],
    [{ stubs: [{ path: listAll }] }, 'stubs[0]: `path` must not be one that the mock responds to itself'],
    [{ keys: [] }, 'Unknown field `keys`. Known fields: `guild`, `guilds`, `unboundKeys`, `stubs`.'],
  ])('is rejected where it is %j', (content, message) => {
    expect(() => applySetUp(createMockLedger({ now }), content)).toThrow(message)
  })
})

it('warming up generates the transactions and leaves no trace', () => {
  const faker = vi.fn(lazyLibraries.faker)
  const mock = createMockLedgerWith({ ...lazyLibraries, faker }, { now, rateLimit: 1 })
  mock.guild.fault({ kind: 'reset', times: 1 })
  expect(faker).not.toHaveBeenCalled()

  warmUp(mock)

  expect(faker).toHaveBeenCalledOnce()
  expect([mock.requests, mock.guild.requests]).toEqual([[], []])
  expect(mock.guild.faults).toMatchObject([{ happened: 0, left: 1 }])
  expect(mock.guild.transactions).toHaveLength(500)
})
