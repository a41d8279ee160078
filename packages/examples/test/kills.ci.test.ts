// Starts examples as programs, and kills them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger } from '@guild-ledger/sdk'
import { createRandom, testSeed } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { announce } from '../src/announce.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

it('announce.ts runs as a script and ends on SIGTERM', async () => {
  const transaction = createTransactionFactory()
  const { mock, guild } = createIsolatedMock({ transactions: 0 })
  await using folder = await temporaryFolder()
  await using server = await startMockServer({ mock })
  const controller = new AbortController()
  const baseUrl = server.url
  const first = new GuildLedger({ apiKey: mock.apiKey, baseUrl, throttle: false })
  const started = announce(first, {
    file: folder.path('announced.json'),
    signal: controller.signal,
    post: async () => {},
  })
  controller.abort()
  await started
  guild.add([transaction({ platformId: '8412', name: 'Shield', createdAt: new Date().toISOString() })])

  const program = join(import.meta.dirname, '../src/announce.ts')
  const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: baseUrl }
  const child = spawn(process.execPath, ['--conditions=@guild-ledger/source', program, folder.path('announced.json')], {
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
    const transaction = createTransactionFactory()
    const { mock, guild } = createIsolatedMock({ transactions: 0 })
    await using folder = await temporaryFolder()
    let responses = 0
    await using server = await startMockServer({ mock, onResponse: () => void responses++ })
    const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }
    const program = join(import.meta.dirname, 'support/announce-until-killed.ts')
    const lines = async () =>
      existsSync(folder.path('announced.txt'))
        ? (await readFile(folder.path('announced.txt'), 'utf8')).split('\n').slice(0, -1)
        : []

    const random = createRandom(testSeed())

    /** Starts the announcer, waits until it has announced `more` transactions, and kills it. */
    const startAndKill = async (more: number) => {
      const until = (await lines()).length + more
      const files = [folder.path('announced.json'), folder.path('announced.txt')]
      const args = ['--conditions=@guild-ledger/source', program, ...files]
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      const ended = once(child, 'exit')
      const before = responses
      const hasAnnounced = async () => responses > before && (await lines()).length >= until
      while (child.exitCode === null && !(await hasAnnounced())) await sleep(1)
      await sleep(random() * 4)
      child.kill('SIGKILL')
      await ended
      expect(child.exitCode).toBe(null)
      expect(JSON.parse(await readFile(folder.path('announced.json'), 'utf8'))).toMatchObject({ version: 1 })
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
