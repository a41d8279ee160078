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
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce } from '../src/announce.ts'
import { readings, world } from './testing/world.ts'

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

/** An announcer that runs for a while on the clock of the test, and what it posted. */
const running = (ledger: Parameters<typeof announce>[0], file: string, post?: (entry: LedgerEntry) => void) => {
  const posted: string[] = []
  const stop = new AbortController()
  const ended = announce(ledger, {
    file,
    signal: stop.signal,
    post: async (entry) => {
      posted.push(entry.name)
      post?.(entry)
    },
  })
  ended.catch(() => {}) // looked at later
  return {
    posted,
    ended,
    async endAfter(ms: number): Promise<string[]> {
      await vi.advanceTimersByTimeAsync(ms)
      stop.abort()
      await ended
      return posted
    },
  }
}

const bought = () => {
  const transaction = createTransactionFactory()
  return (name: string) => transaction({ name, createdAt: new Date().toISOString() })
}

beforeEach(() => void vi.useFakeTimers({ now: noon, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each(readings)(
  'announces what is new, in order, and nothing that was there before, with %s',
  async (_, assumptions) => {
    const { guild, ledger } = world({ transactions: 50, assumptions })
    await using folder = await temporary()
    const purchase = bought()

    const announcer = running(ledger, folder.file)
    await vi.advanceTimersByTimeAsync(12_000)
    guild.add([purchase('Shield')])
    await vi.advanceTimersByTimeAsync(12_000)
    guild.add([purchase('Potion')])

    expect(await announcer.endAfter(12_000)).toEqual(['Shield', 'Potion'])
  },
)

it('tells what was bought while it was away, even if nothing had been bought before', async () => {
  const { guild, ledger } = world({ transactions: 0 })
  await using folder = await temporary()
  const purchase = bought()
  await running(ledger, folder.file).endAfter(12_000)
  await vi.advanceTimersByTimeAsync(3_600_000)
  guild.add([purchase('Shield')])
  await vi.advanceTimersByTimeAsync(3_600_000)

  expect(await running(ledger, folder.file).endAfter(12_000)).toEqual(['Shield'])
  expect(await running(ledger, folder.file).endAfter(12_000)).toEqual([])
  expect(await folder.files()).toEqual(['announced.json'])
})

it('announces again what failed to be announced, and not what came before it', async () => {
  const { guild, ledger } = world({ transactions: 0 })
  await using folder = await temporary()
  const purchase = bought()
  const announcer = running(ledger, folder.file, ({ name }) => {
    if (name === 'Potion') throw new Error('the chat is down')
  })
  await vi.advanceTimersByTimeAsync(1000)
  guild.add([purchase('Shield'), purchase('Potion'), purchase('Bow')])
  await vi.advanceTimersByTimeAsync(12_000)
  await expect(announcer.ended).rejects.toThrow('the chat is down')

  expect(await running(ledger, folder.file).endAfter(12_000)).toEqual(['Potion', 'Bow'])
})

it('goes on when the service was away for a while, and says so', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { guild, ledger } = world({ transactions: 0 })
  await using folder = await temporary()
  const purchase = bought()
  const announcer = running(ledger, folder.file)
  await vi.advanceTimersByTimeAsync(1000)
  guild.fail({ kind: 'reset', times: 2 })
  guild.add([purchase('Shield')])

  expect(await announcer.endAfter(60_000)).toEqual(['Shield'])
  expect(log).toHaveBeenCalledTimes(2)
})

it('does not begin anew when the file is damaged', async () => {
  const { ledger } = world()
  await using folder = await temporary()
  await writeFile(folder.file, '{"version":1,"wat')

  await expect(running(ledger, folder.file).ended).rejects.toThrow('announced.json holds no checkpoint')
})

it('runs when started directly, and ends when it is asked to', { timeout: 30_000 }, async () => {
  vi.useRealTimers()
  const transaction = createTransactionFactory()
  const { mock, guild } = world({ transactions: 0 })
  await using folder = await temporary()
  await using server = await startMockServer({ mock })
  const stop = new AbortController()
  const baseUrl = server.url
  const first = new GuildLedger({ apiKey: mock.apiKey, baseUrl, throttle: false })
  const started = announce(first, { file: folder.file, signal: stop.signal, post: async () => {} })
  stop.abort()
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

it('announces everything, and twice only what a kill came behind', { timeout: 60_000 }, async () => {
  vi.useRealTimers()
  const transaction = createTransactionFactory()
  const { mock, guild } = world({ transactions: 0 })
  await using folder = await temporary()
  let served = 0
  await using server = await startMockServer({ mock, onServed: () => void served++ })
  const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }
  const program = join(import.meta.dirname, 'testing/announce-until-killed.ts')
  const lines = async () =>
    existsSync(folder.log) ? (await readFile(folder.log, 'utf8')).split('\n').slice(0, -1) : []

  /** Starts it, lets it announce so many more, and kills it. */
  const startAndKill = async (more: number) => {
    const until = (await lines()).length + more
    const args = ['--conditions=@guild-ledger/source', program, folder.file, folder.log]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    const asked = served
    const hasAnnounced = async () => served > asked && (await lines()).length >= until
    while (child.exitCode === null && !(await hasAnnounced())) await sleep(1)
    await sleep(Math.random() * 4)
    child.kill('SIGKILL')
    await ended
    expect(child.exitCode).toBe(null)
    expect(JSON.parse(await readFile(folder.file, 'utf8'))).toMatchObject({ version: 1 })
  }

  await startAndKill(0) // this one was killed before anything was bought
  const now = Date.now()
  const ids = Array.from({ length: 40 }, (_, i) => {
    const row = transaction({ createdAt: new Date(now + i).toISOString() })
    guild.add([row])
    return row.transactionId
  })
  let kills = 0
  while (new Set(await lines()).size < ids.length) {
    await startAndKill(Math.min(10, ids.length - new Set(await lines()).size))
    kills++
  }

  const announced = await lines()
  expect(announced.filter((id, i) => id !== announced[i - 1])).toEqual(ids)
  expect(announced.length - ids.length).toBeLessThanOrEqual(kills)
})
