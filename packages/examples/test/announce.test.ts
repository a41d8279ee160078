import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger, type LedgerEntry } from '@guild-ledger/sdk'
import { createRandom, testSeed } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce } from '../src/announce.ts'
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'

const noon = new Date('2026-02-01T12:00:00Z')

const temporary = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-announce-'))
  return {
    file: join(folder, 'announced.json'),
    log: join(folder, 'announced.txt'),
    files: () => readdir(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

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
  await using folder = await temporary()
  const purchase = createPurchases()

  const announcer = startAnnouncer(ledger, folder.file)
  await vi.advanceTimersByTimeAsync(12_000)
  guild.add([purchase('Shield')])
  await vi.advanceTimersByTimeAsync(12_000)
  guild.add([purchase('Potion')])

  expect(await announcer.endAfter(12_000)).toEqual(['Shield', 'Potion'])
})

it('announces what was bought while the bot was not running, even if nothing had been bought before', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporary()
  const purchase = createPurchases()
  await startAnnouncer(ledger, folder.file).endAfter(12_000)
  await vi.advanceTimersByTimeAsync(3_600_000)
  guild.add([purchase('Shield')])
  await vi.advanceTimersByTimeAsync(3_600_000)

  expect(await startAnnouncer(ledger, folder.file).endAfter(12_000)).toEqual(['Shield'])
  expect(await startAnnouncer(ledger, folder.file).endAfter(12_000)).toEqual([])
  expect(await folder.files()).toEqual(['announced.json'])
})

it('after a failed post, a restart announces that transaction and later ones, but no earlier ones', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporary()
  const purchase = createPurchases()
  const announcer = startAnnouncer(ledger, folder.file, ({ name }) => {
    if (name === 'Potion') throw new Error('the chat is down')
  })
  await vi.advanceTimersByTimeAsync(1000)
  guild.add([purchase('Shield'), purchase('Potion'), purchase('Bow')])
  await vi.advanceTimersByTimeAsync(12_000)
  await expect(announcer.ended).rejects.toThrow('the chat is down')

  expect(await startAnnouncer(ledger, folder.file).endAfter(12_000)).toEqual(['Potion', 'Bow'])
})

it('keeps announcing after the service was down, and logs the errors', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporary()
  const purchase = createPurchases()
  const announcer = startAnnouncer(ledger, folder.file)
  await vi.advanceTimersByTimeAsync(1000)
  guild.fault({ kind: 'reset', times: 2 })
  guild.add([purchase('Shield')])

  expect(await announcer.endAfter(60_000)).toEqual(['Shield'])
  expect(log).toHaveBeenCalledTimes(2)
})

it('rejects a damaged checkpoint file instead of starting over', async () => {
  const { ledger } = createIsolatedMock()
  await using folder = await temporary()
  await writeFile(folder.file, '{"version":1,"wat')

  await expect(startAnnouncer(ledger, folder.file).ended).rejects.toThrow('announced.json contains no checkpoint')
})

it('announce.ts runs as a script and ends on SIGTERM', { timeout: 30_000 }, async () => {
  vi.useRealTimers()
  const transaction = createTransactionFactory()
  const { mock, guild } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporary()
  await using server = await startMockServer({ mock })
  const controller = new AbortController()
  const baseUrl = server.url
  const first = new GuildLedger({ apiKey: mock.apiKey, baseUrl, throttle: false })
  const started = announce(first, { file: folder.file, signal: controller.signal, post: async () => {} })
  controller.abort()
  await started
  guild.add([transaction({ platformId: '8412', name: 'Shield', createdAt: new Date().toISOString() })])

  const program = join(import.meta.dirname, '../src/announce.ts')
  const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: baseUrl }
  const child = spawn(process.execPath, ['--conditions=@guild-ledger/source', program, folder.file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGTERM')

  expect(String(line)).toBe('8412 bought 1 × Shield\n')
  expect(await ended).toEqual([0, null])
})

it(
  'announces every transaction at least once despite kills, and at most one twice per kill',
  { timeout: 240_000 },
  async () => {
    vi.useRealTimers()
    const transaction = createTransactionFactory()
    const { mock, guild } = createIsolatedMock({ transactions: 0 })
    await using folder = await temporary()
    let responses = 0
    await using server = await startMockServer({ mock, onResponse: () => void responses++ })
    const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }
    const program = join(import.meta.dirname, 'support/announce-until-killed.ts')
    const lines = async () =>
      existsSync(folder.log) ? (await readFile(folder.log, 'utf8')).split('\n').slice(0, -1) : []

    const random = createRandom(testSeed())

    /** Starts the announcer, waits until it has announced `more` transactions, and kills it. */
    const startAndKill = async (more: number) => {
      const until = (await lines()).length + more
      const args = ['--conditions=@guild-ledger/source', program, folder.file, folder.log]
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      const ended = once(child, 'exit')
      const before = responses
      const hasAnnounced = async () => responses > before && (await lines()).length >= until
      while (child.exitCode === null && !(await hasAnnounced())) await sleep(1)
      await sleep(random() * 4)
      child.kill('SIGKILL')
      await ended
      expect(child.exitCode).toBe(null)
      expect(JSON.parse(await readFile(folder.file, 'utf8'))).toMatchObject({ version: 1 })
    }

    await startAndKill(0) // killed before anything was bought
    const now = Date.now()
    const ids = Array.from({ length: 40 }, (_, i) => {
      const added = transaction({ createdAt: new Date(now + i).toISOString() })
      guild.add([added])
      return added.transactionId
    })
    let kills = 0
    while (new Set(await lines()).size < ids.length) {
      await startAndKill(Math.min(10, ids.length - new Set(await lines()).size))
      kills++
    }

    const announced = await lines()
    expect(announced.filter((id, i) => id !== announced[i - 1])).toEqual(ids)
    expect(announced.length - ids.length).toBeLessThanOrEqual(kills)
  },
)
