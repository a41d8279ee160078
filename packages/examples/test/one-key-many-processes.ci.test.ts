import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, it } from 'vitest'
import { startRedis } from '@guild-ledger/test-kit'

const run = promisify(execFile)
const example = resolve(import.meta.dirname, '../src/one-key-many-processes.ts')

it('two processes with one key together send at most ten requests per second', { timeout: 240_000 }, async () => {
  // The mock rejects the eleventh request of any second. Without sharing, each process would send six at once.
  const mock = createMockLedger({ transactions: 590, assumptions: { pageUnit: 'transaction' } })
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

  const expected = { stdout: 'read 590 transactions\n', stderr: '' }
  expect(processes).toEqual([expected, expected])
  mock.guild.expectRequests(12, { status: 200 })
  mock.guild.expectRequests(0, { status: 429 })
})
