import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { annotation } from '@guild-ledger/validation/command-line'
import type { SweepReport } from './report.ts'
import { markdownReport } from './markdown.ts'
import { groupsOf } from './text.ts'

/** In GitHub Actions, an annotation for each break, at its line. Their files are relative to the `workspace`. */
export const annotations = ({ results }: SweepReport, workspace = ''): string =>
  groupsOf(results)
    .flatMap(({ remedy, broken }) =>
      broken.map(({ test, values, message = 'it does not end', location = '' }) => {
        const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(location) ?? []
        const place = file === '' ? {} : { file: relative(workspace, file).replaceAll('\\', '/'), line }
        return annotation('error', { ...place, title: `breaks under ${values}` }, `${test}: ${message}. ${remedy}`)
      }),
    )
    .join('')

/** Reports to GitHub Actions, where the sweep runs in it. */
export const reportToGitHub = (
  report: SweepReport,
  environment: NodeJS.ProcessEnv,
  print: (text: string) => void,
): void => {
  if (environment.GITHUB_ACTIONS !== 'true') return
  print(annotations(report, environment.GITHUB_WORKSPACE))
  if (environment.GITHUB_STEP_SUMMARY) appendFileSync(environment.GITHUB_STEP_SUMMARY, markdownReport(report))
}
