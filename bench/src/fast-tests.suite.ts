/** 40 tests as the READMEs show them. `CLIENT=default` gives the client its default throttle and retries. */
import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { beforeEach, describe, expect, it } from 'vitest'

const mock = createMockLedger({ transactions: 120 })
const transaction = createTransactionFactory()
const { apiKey, origin, fetch } = mock
const options: GuildLedgerOptions =
  process.env.CLIENT === 'default' ? { apiKey, baseUrl: origin, fetch } : mock.clientOptions
const ledger = new GuildLedger({ ...options, logLevel: 'off' })

beforeEach(() => mock.reset())

describe.each(Array.from({ length: 10 }, (_, i) => i + 1))('round %i', () => {
  it('retries an internal error', async () => {
    mock.guild.fault({ kind: 'internal-error', endpoint: 'guild', times: 1 })
    expect((await ledger.transactions.list({ from: 'shop' })).success).toBe(true)
    mock.guild.expectRequests(2, { endpoint: 'guild', query: { from: 'shop' } })
  })

  it('reads every transaction after an internal error', async () => {
    mock.guild.fault({ kind: 'internal-error', times: 1 })
    let count = 0
    for await (const _ of ledger.transactions.iterate()) count += 1
    expect(count).toBe(120)
  })

  it('finds a transaction that is added between two requests', async () => {
    mock.guild.schedule([transaction({ source: 'late' })], { afterRequests: 1 })
    const first = () => ledger.transactions.iterate({ from: 'late' })[Symbol.asyncIterator]().next()
    expect(await first()).toMatchObject({ done: true })
    expect(await first()).toMatchObject({ value: { source: 'late' } })
  })

  it('throws when the service does not recover', async () => {
    mock.guild.fault({ kind: 'status', status: 503, endpoint: 'user' })
    await expect(ledger.user('8412').transactions.list()).rejects.toMatchObject({ code: 'server_error', attempts: 3 })
  })
})
