import { createTransactionFactory } from '@guild-ledger/mock-server'
import { test as base } from '@guild-ledger/mock-server/vitest'
import { describe, expect, vi } from 'vitest'

const transaction = createTransactionFactory()
const test = base.extend('guildOptions', { transactions: 7 })
const limited = base.extend('mockOptions', { rateLimit: 3 })
const guildIds = new Set<string>()

describe('fixtures for Vitest', () => {
  test('the client is connected to the guild of the test, with its options and no throttle', async ({
    guild,
    ledger,
  }) => {
    guildIds.add(guild.id)
    guild.add([transaction()])

    expect((await ledger.transactions.list()).pagination.total).toBe(8)
    expect(ledger.throttle).toBeUndefined()
  })

  test('each test has a guild of its own, with the same seeded transactions', async ({ guild, ledger, mock }) => {
    expect(guildIds).not.toContain(guild.id)
    expect(mock.guilds.map(({ id }) => id)).not.toContain([...guildIds][0])
    expect(guild.transactions).toHaveLength(7)
    expect(guild.transactions).toEqual(mock.createGuild({ seed: 1, transactions: 7 }).transactions)
    expect((await ledger.transactions.list()).pagination.total).toBe(7)
    guild.expectRequests(1)
  })

  test.beforeAll(({ mock }) => {
    expect(mock.guild.transactions).toEqual([])
  })

  describe('with other options', () => {
    base.override('guildOptions', { assumptions: { pageUnit: 'group' } })
    base.override('ledgerOptions', { retry: false })

    base('override changes the guild and the client', async ({ guild, ledger }) => {
      guild.fault({ kind: 'internal-error', times: 1 })

      await expect(ledger.transactions.list()).rejects.toMatchObject({ attempts: 1 })
      expect(guild.assumptions.pageUnit).toBe('group')
      expect(guild.transactions).toEqual([])
    })
  })
})

describe('a fault that never happened', () => {
  const warned: unknown[] = []

  test('stays in a test that passes', async ({ guild, ledger }) => {
    guild.fault({ kind: 'reset', after: 2 })
    guild.fault({ kind: 'hang', probability: 0.01, endpoint: 'user' })
    guild.fault({ kind: 'internal-error', times: 1 })
    await ledger.transactions.list()

    expect(guild.unusedFaults).toMatchObject([{ fault: { kind: 'reset' }, waits: 0 }])
    guild.fault({ kind: 'html-502', endpoint: 'user', after: 3 })
    vi.spyOn(console, 'warn').mockImplementation((text) => void warned.push(text))
  })

  test('is printed by default', () => {
    expect(warned).toEqual([
      `Faults that never happened:
  {"kind":"reset","after":2}: no request that it changes matched
  {"kind":"html-502","endpoint":"user","after":3}: 3 more matching requests would have passed first`,
    ])
  })

  base.extend('onUnusedFault', 'fail').fails('fails a test where that is asked for', ({ guild }) => {
    guild.fault({ kind: 'reset' })
  })
})

limited('options of the mock apply to its guilds', ({ mock, guild }) => {
  expect([mock.guild.rateLimit, guild.rateLimit]).toEqual([3, 3])
})
