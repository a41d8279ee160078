import { appendFileSync } from 'node:fs'
import { annotation } from '@guild-ledger/validation/command-line'
import type { Expectation, ProbeReport } from '../types.ts'
import { exitCodeOf, exitCodes } from './changes.ts'
import { markdownReport } from './markdown.ts'
import { changeText, reasonOf, unexplainedText } from './terminal.ts'

/** In GitHub Actions, an annotation for each change, for each value that could not be checked, and for what is unexplained. */
const annotations = (report: ProbeReport, expected?: Expectation): string => {
  const { changes, findings, unchecked } = report
  const isUnexplained = exitCodeOf({ ...report, changes: [] }, expected) === exitCodes.unexplained
  const unexplained = expected ? [] : findings.filter(({ verdict }) => verdict === 'unexplained')
  return [
    ...changes.map((one) => annotation('error', { title: `${one.key} changed` }, changeText(one))),
    ...unexplained.map((one) => annotation('error', { title: `${one.key} is unexplained` }, reasonOf(one))),
    ...(isUnexplained ? unexplainedText(report) : []).map((text) =>
      annotation('error', { title: 'unexplained' }, text),
    ),
    ...unchecked.map((key) =>
      annotation('warning', { title: `${key} was not checked` }, 'Its value may have changed.'),
    ),
  ].join('')
}

/** Reports to GitHub Actions, where the probe runs in it. */
export const reportToGitHub = (
  report: ProbeReport,
  expected: Expectation | undefined,
  environment: NodeJS.ProcessEnv,
  print: (text: string) => void,
): void => {
  if (environment.GITHUB_ACTIONS !== 'true') return
  print(annotations(report, expected))
  if (environment.GITHUB_STEP_SUMMARY) appendFileSync(environment.GITHUB_STEP_SUMMARY, markdownReport(report))
}
