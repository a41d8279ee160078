import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { sendToMock } from '@guild-ledger/test-kit'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { setProcessWide } from '../assumptions/process-wide.ts'
import { attachToFailure, prepareReport } from './failure-report.ts'

const task = { file: { name: 'test/bot.test.ts' }, fullTestName: "bot > it's (nearly) done" } as TestContext['task']

const startFrom = (assumptions: Partial<Assumptions>): void => {
  setProcessWide({ assumptions })
  onTestFinished(() => void setProcessWide(undefined))
}

it('the report of a failed test has its requests, the assumptions in force and the command to run it again', () => {
  startFrom({ pageUnit: 'group' })
  const mock = createMockLedger({ now: () => 0, transactions: 0 })
  const guild = mock.createGuild({ transactions: 1, assumptions: { maxPage: 2 } })
  sendToMock(mock, 'a key from before')

  const report = prepareReport(mock, guild, task)
  guild.fault({ kind: 'reset', endpoint: 'user' })
  sendToMock(mock, guild.apiKey)
  sendToMock(mock, 'mistyped')

  expect(report()).toBe(`Requests to guild-2:
  00:00:00.000Z guild (key-2) → 200
Faults that never happened:
  {"kind":"reset","endpoint":"user"}: no request that it changes matched
Requests with an unknown API key:
  00:00:00.000Z guild (unknown key) → 401 Unauthorized - invalid API key
Assumptions: pageUnit=group, maxPage=2, the others as by default
Replay: GUILD_LEDGER_MOCK_ASSUME=pageUnit=group npx vitest run test/bot.test.ts -t 'bot > it'\\''s \\(nearly\\) done'`)
})

it('the report says that nothing was requested and nothing is assumed', () => {
  const mock = createMockLedger({ transactions: 0 })

  expect(prepareReport(mock, mock.guild, task)()).toBe(`No requests to guild-1
Assumptions: all have their default values
Replay: npx vitest run test/bot.test.ts -t 'bot > it'\\''s \\(nearly\\) done'`)
})

it('the report is appended to the error of the attempt that failed', async () => {
  const errors = [{ message: 'first attempt', stack: 'Error: first attempt\n at a' }]
  const handlers: Parameters<TestContext['onTestFailed']>[0][] = []
  const failing = { ...task, result: { state: 'run', errors } } as unknown as TestContext['task']
  attachToFailure({ task: failing, onTestFailed: (handler) => void handlers.push(handler) }, () => 'costs $& more')

  errors.push({ message: 'second attempt', stack: 'Error: second attempt\n at b' })
  for (const handler of handlers) await handler({} as TestContext)

  expect(errors).toEqual([
    { message: 'first attempt', stack: 'Error: first attempt\n at a' },
    { message: 'second attempt\n\ncosts $& more', stack: 'Error: second attempt\n\ncosts $& more\n at b' },
  ])
})
