import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const readme = readFileSync(resolve(import.meta.dirname, '../../mock-server/README.md'), 'utf8')
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)

/** A served mock, and the variables by which the snippets find it. */
const served = async (options: MockLedgerOptions) => {
  const mock = createMockLedger(options)
  const server = await startMockServer({ mock, beside: createAdmin(mock) })
  onTestFinished(() => server.close())
  return {
    mock,
    env: { ...process.env, GUILD_LEDGER_BASE_URL: server.url, GUILD_LEDGER_API_KEY: mock.apiKey },
  }
}

/** Without the program the snippet cannot be run, and that is a failure: .ci/run installs what is missing. */
const ran = async (program: string, args: string[], env: NodeJS.ProcessEnv) =>
  run(program, args, { env, timeout: 20_000 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${program} is not installed, so its snippets cannot be run.`)
    throw error
  })

describe('snippets of the README of the mock server run against it', { timeout: 30_000 }, () => {
  const python = blocksOf('python')
  const curl = blocksOf('sh').filter((code) => /^curl /m.test(code))

  it('are found', () => {
    expect([python.length, curl.length]).toEqual([1, 1])
  })

  it.each(python)('in Python: %#', async (code) => {
    // Two requests a second: the third has to wait, and the mock says how long.
    const { mock, env } = await served({ transactions: 150, rateLimit: 2 })

    const { stdout, stderr } = await ran('python3', ['-W', 'error', '-c', code], env)

    const spent = mock.guild.transactions.reduce((sum, { total }) => sum + total, 0)
    expect(stdout).toBe(`${spent.toFixed(2)} on 2 pages\n404 No transactions found for this user\n`)
    expect(stderr).toBe('')
    expect(mock.guild.conduct()).toMatchObject([{ beforeRetryAfter: 0 }])
  })

  it.each(curl)('with curl: %#', async (code) => {
    const { mock, env } = await served({ transactions: 5 })

    const { stdout, stderr } = await ran('sh', ['-eu', '-c', code], env)

    expect(stdout).toMatch(/^\{"success":true,.*"totalPages":2\}/)
    expect(stdout).toContain('{"success":false,"message":"Failed to fetch guild transactions"}')
    expect(stderr).toBe('')
    expect(mock.guild.requests.map(({ status }) => status)).toEqual([200, 500])
  })
})
