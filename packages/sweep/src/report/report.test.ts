import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import type { SweepFindings } from '../sweep.ts'
import type { TestResult } from '../types.ts'
import { annotations } from './github.ts'
import { markdownReport } from './markdown.ts'
import { exitCodeOf, reportOf } from './report.ts'
import { terminalReport } from './terminal.ts'

const result = (test: string, changes: Partial<TestResult> = {}): TestResult => ({
  test,
  result: 'passed under other values',
  breaks: [],
  passed: ['tieOrder=ledger'],
  notJudged: [],
  pinned: [],
  ...changes,
})
const broken = (test: string, values: string, message: string) =>
  result(test, {
    result: 'breaks',
    breaks: [{ values, kind: 'fails', message, location: 'a.test.ts:3', replay: `replay ${test}` }],
  })
const findings: SweepFindings = {
  results: [
    broken('a', 'pageUnit=group', 'expected 1\u001B[31m'),
    broken('b', 'pageUnit=group', 'expected | 2'),
    result('c'),
    result('d', { result: 'not judged', notJudged: [{ reason: 'flaky' }] }),
    result('e', { result: 'unreached', passed: [] }),
  ],
  reached: 4,
  runs: 9,
  seconds: 3.4,
  untouched: ['nameOrder'],
  onRequest: ['maxPage=1'],
  late: [],
}
const context = { runner: 'vitest 5', startedAt: new Date(0), base: {}, lock: [] }
const report = reportOf(findings, context)

it('the report is described by the schema', () => {
  const schema = JSON.parse(readFileSync(new URL('../../sweep.schema.json', import.meta.url), 'utf8')) as object
  const validate = new Ajv({ strict: false }).compile(schema)

  expect([validate(JSON.parse(JSON.stringify(report))), validate.errors]).toEqual([true, null])
})

it('the report has one quotation, one remedy and one replay line for each assumption, and a line for each test', () => {
  const text = terminalReport(report, false)

  expect(text.match(/Whether page and limit count/g)).toHaveLength(1)
  expect(text.match(/replay a|replay b/g)).toEqual(['replay a'])
  expect(text).toContain('a  pageUnit=group  expected 1')
  expect(text).not.toContain('\u001B[31m ')
  expect(text).toContain('d: its result differs between runs under the same values')
  expect(text).toMatch(
    /2 of 5 tests break under other values; 1 passed under other values, 0 untouched, 1 not judged, 1 unreached\. 4 reached a mock; 9 runs in 3 s\.\n$/,
  )
  expect(terminalReport(report, true)).toContain('c: tieOrder=ledger')
})

it('the report escapes what Markdown and annotations would interpret', () => {
  expect(markdownReport(report)).toContain('- b under ` pageUnit=group `: ` expected | 2 ` at ` a.test.ts:3 `')
  expect(annotations(report).split('\n')[1]).toMatch(
    /^::error file=a\.test\.ts,line=3,title=breaks under pageUnit=group::b: expected \| 2\. /,
  )
})

const withOnly = (at: number) => ({ ...findings, results: findings.results.slice(at, at + 1) })
it.each([
  ['a break', findings, false, false, 1],
  ['nothing', withOnly(2), true, true, 0],
  ['a test that is not judged, where that counts', withOnly(3), true, false, 1],
  ['a test that is not judged', withOnly(3), false, true, 0],
  ['an unreached test, where that counts', withOnly(4), false, true, 1],
  ['an unreached test', withOnly(4), true, false, 0],
])('the report has the right exit code because of %s', (_case, found, notJudged, unreached, code) => {
  expect(exitCodeOf(reportOf(found, context), { notJudged, unreached })).toBe(code)
})

it('the report does not fail because of a break that is accepted, and fails because of an entry that accepts nothing', () => {
  const lock = [{ test: '*', values: 'pageUnit=group', reason: 'known' }]
  const strict = { notJudged: false, unreached: false }

  expect(exitCodeOf(reportOf(findings, { ...context, lock }), strict)).toBe(0)
  expect(exitCodeOf(reportOf({ ...findings, results: [] }, { ...context, lock }), strict)).toBe(1)
})
