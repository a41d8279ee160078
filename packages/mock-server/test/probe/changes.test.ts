import { createMockLedger } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { createReport } from '../../src/probe/create-report.ts'
import { probeTerminalReport } from '../../src/probe/report/terminal.ts'
import { inferFrom, respondFrom } from './run-inference.ts'

const inferUpTo = (limit: number) =>
  inferFrom(respondFrom(createMockLedger({ transactions: 120, rateLimit: 'off', assumptions: { maxPage: 7 } })), limit)

/** The report of an inference that ended as soon as a largest page was known to exist, but not which. */
const reportWith = async (maxPage: number | null) => {
  const { targets } = await inferUpTo(150)
  const limit = targets.findIndex((target) => target.includes('page=9007199254740991')) + 1
  const { inference, verdicts } = await inferUpTo(limit)
  const proof = { requests: 0, compared: 0, different: 0 }
  const requests = { sent: limit, limit, seconds: 1, rateLimited: 0 }
  return createReport({ inference, verdicts, proof, requests, expected: { maxPage } })
}

it.each([null, 1])('reports a largest page that is not known yet as a change from %s', async (expected) => {
  const report = await reportWith(expected)
  const { changes } = report

  expect(changes).toMatchObject([{ key: 'maxPage', expected }])
  expect(probeTerminalReport(report)).toContain(`Changed  maxPage: expected ${expected}, now a number above 1\n`)
})

it('reports no change from a number that is still possible, and no value that is none', async () => {
  const { changes, findings } = await reportWith(500)
  const finding = findings.find(({ key }) => key === 'maxPage')

  expect(changes).toEqual([])
  expect(finding).toMatchObject({ verdict: 'open', candidates: [], needs: expect.stringContaining('a number above 1') })
})
