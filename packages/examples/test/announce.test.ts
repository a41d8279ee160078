import { writeFile } from 'node:fs/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce } from '../src/announce.ts'
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const noon = new Date('2026-02-01T12:00:00Z')

/** Starts an announcer on the clock of the test; `endAfter` stops it and returns what it posted. */
const startAnnouncer = (
  ledger: Parameters<typeof announce>[0],
  file: string,
  post?: (transaction: LedgerEntry) => void,
) => {
  const posted: string[] = []
  const controller = new AbortController()
  const ended = announce(ledger, {
    file,
    signal: controller.signal,
    post: async (transaction) => {
      posted.push(transaction.name)
      post?.(transaction)
    },
  })
  ended.catch(() => {}) // handled later
  return {
    posted,
    ended,
    async endAfter(ms: number): Promise<string[]> {
      await vi.advanceTimersByTimeAsync(ms)
      controller.abort()
      await ended
      return posted
    },
  }
}

const createPurchases = () => {
  const transaction = createTransactionFactory()
  return (name: string) => transaction({ name, createdAt: new Date().toISOString() })
}

beforeEach(() => void vi.useFakeTimers({ now: noon, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each(assumptionSets)('announces new transactions in order and no old ones, with %s', async (_name, assumptions) => {
  const { guild, ledger } = createIsolatedMock({ transactions: 50, assumptions })
  await using folder = await temporaryFolder()
  const purchase = createPurchases()

  const announcer = startAnnouncer(ledger, folder.path('announced.json'))
  await vi.advanceTimersByTimeAsync(12_000)
  guild.add([purchase('Shield')])
  await vi.advanceTimersByTimeAsync(12_000)
  guild.add([purchase('Potion')])

  expect(await announcer.endAfter(12_000)).toEqual(['Shield', 'Potion'])
})

it('the announcer announces what was bought while the bot was not running, even if nothing had been bought before', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporaryFolder()
  const purchase = createPurchases()
  await startAnnouncer(ledger, folder.path('announced.json')).endAfter(12_000)
  await vi.advanceTimersByTimeAsync(3_600_000)
  guild.add([purchase('Shield')])
  await vi.advanceTimersByTimeAsync(3_600_000)

  expect(await startAnnouncer(ledger, folder.path('announced.json')).endAfter(12_000)).toEqual(['Shield'])
  expect(await startAnnouncer(ledger, folder.path('announced.json')).endAfter(12_000)).toEqual([])
  expect(await folder.files()).toEqual(['announced.json'])
})

it('after a failed post, a restart announces that transaction and later ones, but no earlier ones', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporaryFolder()
  const purchase = createPurchases()
  const announcer = startAnnouncer(ledger, folder.path('announced.json'), ({ name }) => {
    if (name === 'Potion') throw new Error('the chat is down')
  })
  await vi.advanceTimersByTimeAsync(1000)
  guild.add([purchase('Shield'), purchase('Potion'), purchase('Bow')])
  await vi.advanceTimersByTimeAsync(12_000)
  await expect(announcer.ended).rejects.toThrow('the chat is down')

  expect(await startAnnouncer(ledger, folder.path('announced.json')).endAfter(12_000)).toEqual(['Potion', 'Bow'])
})

it('the announcer keeps announcing after the service was down, and logs the errors', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporaryFolder()
  const purchase = createPurchases()
  const announcer = startAnnouncer(ledger, folder.path('announced.json'))
  await vi.advanceTimersByTimeAsync(1000)
  guild.fault({ kind: 'reset', times: 2 })
  guild.add([purchase('Shield')])

  expect(await announcer.endAfter(60_000)).toEqual(['Shield'])
  expect(log).toHaveBeenCalledTimes(2)
})

it('the announcer rejects a damaged checkpoint file instead of starting over', async () => {
  const { ledger } = createIsolatedMock()
  await using folder = await temporaryFolder()
  await writeFile(folder.path('announced.json'), '{"version":1,"wat')

  await expect(startAnnouncer(ledger, folder.path('announced.json')).ended).rejects.toThrow(
    'announced.json contains no checkpoint',
  )
})
