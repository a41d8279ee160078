/** Two copies of the package in one process, as two versions in one dependency tree. */
import { GuildLedger, GuildLedgerError } from '@guild-ledger/sdk'
import { errorBody, failureOf, stubService } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { sharedThrottle } from '../src/throttle/shared.ts'

vi.resetModules()
const copy = await import('@guild-ledger/sdk')
const throttles = await import('../src/throttle/shared.ts')

it('recognises errors of another copy of the package', async () => {
  const service = stubService(() => Response.json(errorBody('expired'), { status: 401 }))

  const error = await failureOf(new GuildLedger(service.options).transactions.list())

  expect(copy.GuildLedgerError).not.toBe(GuildLedgerError)
  expect(error).not.toBeInstanceOf(copy.GuildLedgerError)
  expect([error, new Error('x'), null].map(copy.GuildLedgerError.is)).toEqual([true, false, false])
})

it('the throttle that clients share is the same in another copy of the package', async () => {
  await Promise.all(Array.from({ length: 10 }, () => sharedThrottle('https://copy.test', () => 'a key').acquire()))

  expect(throttles.sharedThrottle).not.toBe(sharedThrottle)
  expect(throttles.sharedThrottle('https://copy.test', () => 'a key').stats).toMatchObject({ held: 10 })
})
