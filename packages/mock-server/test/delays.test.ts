import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createMockLedger, type Fault, type Guild, type MockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodeAdapters } from './node-adapters.ts'

const anHour = 3_600_000
const slow: Fault[] = [
  { kind: 'latency', ms: anHour },
  { kind: 'slow-body', chunkBytes: 1, intervalMs: anHour },
]

const ends: readonly [string, (mock: MockLedger, guild: Guild) => void][] = [
  ['guild.reset()', (_mock, guild) => guild.reset()],
  ['mock.reset()', (mock) => mock.reset()],
  ['mock.removeGuild()', (mock, guild) => mock.removeGuild(guild.id)],
]

describe.each(Object.entries(nodeAdapters))('a delay over %s', (_name, open) => {
  it.each(slow.flatMap((fault) => ends.map(([call, end]) => [fault.kind, call, fault, end] as const)))(
    'of %s is ended by %s, and the response arrives whole',
    async (_kind, _call, fault, end) => {
      const mock = createMockLedger({ transactions: 0 })
      const guild = mock.createGuild({ transactions: 3 })
      guild.fault(fault)
      const { url, fetch } = await open(mock)
      const response = fetch(url + listAll, { headers: { 'x-api-key': guild.apiKey } })
      await guild.waitForRequests(1)
      // Headers of a slow body are there at once, and its first byte.
      await new Promise((resolve) => setTimeout(resolve, 20))

      end(mock, guild)

      expect(await (await response).json()).toMatchObject({ success: true, pagination: { total: 3 } })
    },
  )
})

it('a guild that was removed while a request was in flight takes nothing more, and its key is invalid', async () => {
  const mock = createMockLedger({ transactions: 0 })
  const guild = mock.createGuild({ transactions: 3 })
  guild.fault({ kind: 'latency', ms: anHour })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })
  const inFlight = ledger.transactions.list()
  await guild.waitForRequests(1)

  mock.removeGuild(guild.id)

  expect((await inFlight).pagination.total).toBe(3)
  await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'invalid_api_key' })
  const message = 'guild-2 was removed: no request reaches it. Create another with createGuild().'
  expect(() => guild.add([{}])).toThrow(message)
  expect(() => guild.load([])).toThrow(message)
  expect(() => guild.schedule([{}], { afterMs: 1 })).toThrow(message)
  expect(() => guild.fault({ kind: 'hang' })).toThrow(message)
  expect(() => guild.createKey({ name: 'a', scopes: [], expiresAt: '2030-01-01' })).toThrow(message)
  expect(guild.requests).toHaveLength(1)
})

const program = `
import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
const mock = createMockLedger({ transactions: 3 })
mock.guild.fault({ kind: 'latency', ms: 1500, times: 1 })
mock.guild.fault({ kind: 'latency', ms: 60_000 })
const ledger = new GuildLedger({ ...mock.clientOptions, retry: false, logLevel: 'off' })
console.log((await ledger.transactions.list()).data.length > 0)
await ledger.transactions.list({}, { attemptTimeoutMs: 50 }).catch(({ code }) => console.log(code))
`

it('a delay that nobody waits for does not keep a process open, and one that a client waits for does', async () => {
  const startedAt = performance.now()
  const args = ['--conditions=@guild-ledger/source', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, env: { ...process.env, NODE_OPTIONS: '' } })
  onTestFinished(() => void child.kill('SIGKILL'))

  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])

  expect({ printed, code: code as number }).toEqual({ printed: 'true\ntimeout\n', code: 0 })
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})
