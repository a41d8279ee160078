import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const document = readFileSync(resolve(import.meta.dirname, '../../../docs/http-server.md'), 'utf8')
const shellBlocks = Array.from(document.matchAll(/^```sh\n([^]*?)^```/gm), ([, code = '']) => code)

/** Starts a mock server, and returns the environment for the snippets. */
const start = async (options: MockLedgerOptions) => {
  const mock = createMockLedger(options)
  const server = await startMockServer({ mock, routes: createAdmin(mock) })
  onTestFinished(() => server.close())
  return { mock, env: { ...process.env, GUILD_LEDGER_BASE_URL: server.url, GUILD_LEDGER_API_KEY: mock.apiKey } }
}

/** Runs a program. A missing program is a failure: .ci/run installs what is missing. */
const runProgram = async (program: string, args: string[], env: NodeJS.ProcessEnv) =>
  run(program, args, { env, timeout: 20_000 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${program} is not installed, so its snippets cannot run.`)
    throw error
  })

describe('Python and curl without the SDK', () => {
  const curl = shellBlocks.filter((code) => /^curl /m.test(code))

  it('docs/http-server.md has one curl snippet', () => {
    expect(curl).toHaveLength(1)
  })

  it('read_ledger.py waits for the rate limit and reads all pages', async () => {
    // At two requests per second, the third has to wait for the time in Retry-After.
    const { mock, env } = await start({ transactions: 150, rateLimit: 2, assumptions: { pageUnit: 'transaction' } })
    const file = resolve(import.meta.dirname, '../src/read_ledger.py')

    const { stdout, stderr } = await runProgram('python3', ['-W', 'error', file], env)

    const spent = mock.guild.transactions.reduce((sum, { total }) => sum + total, 0)
    expect(stdout).toBe(`${spent.toFixed(2)} on 2 pages\n404 No transactions found for this user\n`)
    expect(stderr).toBe('')
    expect(mock.guild.audit()).toMatchObject([{ beforeRetryAfter: 0 }])
  })

  it.each(curl)('the curl snippet runs against the mock server: %#', async (code) => {
    const { mock, env } = await start({ transactions: 5 })

    const { stdout, stderr } = await runProgram('sh', ['-eu', '-c', code], env)

    expect(stdout).toMatch(/^\{"success":true,.*"totalPages":2\}/)
    expect(stdout).toContain('{"success":false,"message":"Failed to fetch guild transactions"}')
    expect(stderr).toBe('')
    expect(mock.guild.requests.map(({ status }) => status)).toEqual([200, 500])
  })
})
