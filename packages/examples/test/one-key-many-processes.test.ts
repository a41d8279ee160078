import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, it } from 'vitest'
import { startRedis } from '../../sdk/src/throttle/testing/redis-server.ts'

const run = promisify(execFile)
const example = resolve(import.meta.dirname, '../src/one-key-many-processes.ts')

it('keeps two processes with one key together to ten requests a second', { timeout: 60_000 }, async () => {
  // Refuses the eleventh request of any second. Each process alone would send its six at once.
  const mock = createMockLedger({ transactions: 600 })
  await using server = await startMockServer({ mock })
  await using redis = await startRedis()
  const env = {
    ...process.env,
    GUILD_LEDGER_API_KEY: mock.apiKey,
    GUILD_LEDGER_BASE_URL: server.url,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
  }

  const processes = await Promise.all(
    Array.from({ length: 2 }, () => run(process.execPath, ['--conditions=@guild-ledger/source', example], { env })),
  )

  const walked = { stdout: 'walked 600 transactions\n', stderr: '' }
  expect(processes).toEqual([walked, walked])
  mock.guild.expectRequests(12, { status: 200 })
  mock.guild.expectRequests(0, { status: 429 })
})
