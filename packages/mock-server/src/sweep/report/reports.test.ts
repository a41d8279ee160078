import { expect, it } from 'vitest'
import { parseXml, type XmlElement } from '../command/parse-xml.ts'
import type { Break, SweepReport } from '../types.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { terminalReport } from './terminal.ts'

const fails: Break = {
  test: 'a.test.ts > <b> & `c`\u001B[2J\u0000\uD800',
  values: { pageUnit: 'group' },
  kind: 'fails',
  message: 'expected "3"\n\u0007 to be 4',
  location: 'a.test.ts:3',
  replay: 'npx vitest run a.test.ts',
}
const report: SweepReport = {
  tests: 5,
  breaks: [fails],
  survives: [{ test: 'is robust', values: ['pageUnit=group', 'tieOrder=ledger'] }],
  untouched: [],
  pinned: [],
  setAside: [{ test: 'is flaky', reason: 'flaky' }],
  notTried: ['maxPage=1'],
  notTriedAfterHang: [
    { test: 'comes last', values: ['pageUnit=group', 'tieOrder=ledger'], reason: 'run ended' },
    { test: 'skips', values: ['pageUnit=group'], reason: 'skips itself' },
  ],
  skipped: [],
  cost: { runs: 2, testRuns: 4, withoutTrace: 5, seconds: 1 },
}
const input = { report, lock: { accepted: [], unaccepted: [fails], stale: [], notTried: [] } }

const textOf = ({ attributes, children: [inner] }: XmlElement): string =>
  [attributes.classname, attributes.name, inner?.name ?? 'passed', inner?.attributes.message].join(' | ')

it('lists each test under each value in the JUnit report, as skipped where there is no result', () => {
  const suite = parseXml(junitReport(input), 'sweep.xml').children[0]

  expect(suite?.attributes).toEqual({ name: 'sweep', tests: '8', failures: '1', skipped: '5' })
  expect(suite?.children.map(textOf)).toEqual([
    'pageUnit=group | a.test.ts > <b> & `c`\uFFFD[2J\uFFFD\uFFFD | failure | expected "3"\n\uFFFD to be 4',
    'pageUnit=group | is robust | passed | ',
    'tieOrder=ledger | is robust | passed | ',
    'pageUnit=group | comes last | skipped | Not tried: another test hung or ended the run.',
    'tieOrder=ledger | comes last | skipped | Not tried: another test hung or ended the run.',
    'pageUnit=group | skips | skipped | Not tried: the test skips itself under the value.',
    'any value | is flaky | skipped | Set aside: flaky.',
    'maxPage=1 | all tests | skipped | Not tried, because the time was up.',
  ])
})

it('prints no commands for a terminal that the title of a test has, and shows it in Markdown as it is', () => {
  expect(markdownReport(input)).toContain('### a.test.ts \\> \\<b\\> & \\`c\\` \\[2J')
  for (const text of [markdownReport(input), terminalReport(input)]) {
    expect(text).toContain('expected "3" ')
    for (const command of ['\u001B[2J', '\u0007', '\u0000']) expect(text).not.toContain(command)
  }
})
