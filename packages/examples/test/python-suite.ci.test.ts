import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const suite = resolve(import.meta.dirname, '../src/spending_test.py')
const command = resolve(import.meta.dirname, '../../mock-server/src/cli/main.ts')

it('the Python suite passes against the mock server and leaves no process behind', { timeout: 240_000 }, async () => {
  const GUILD_LEDGER_MOCK = `"${process.execPath}" --conditions=@guild-ledger/source "${command}"`
  const env = { ...process.env, GUILD_LEDGER_MOCK, PYTHONDONTWRITEBYTECODE: '1' }

  // With warnings as errors, Python reports processes and pipes that are left open.
  const { stderr } = await run('python3', ['-W', 'error', suite], { env })

  expect(stderr).toMatch(/^\.\.\.\n-+\nRan 3 tests in .+\n\nOK\n$/)
})
