import { assumptionDefinitions, type AssumptionDefinition } from '@guild-ledger/mock-server/assumptions'
import type { Finding, ProbeReport } from '../types.ts'
import { reasonOf, remarksOf, stateOf } from './terminal.ts'

export const markdownReport = (report: ProbeReport): string => {
  const { origin, startedAt, tool, findings } = report
  const rows = findings.map((one) => {
    const evidence = one.evidence.map((request) => `\`${request}\``).join(' ')
    const cells = [`\`${one.key}\``, one.verdict, stateOf(one), reasonOf(one), evidence]
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  })
  return [
    '# Probe',
    `${origin}, ${startedAt}, ${tool.name} ${tool.version}`,
    remarksOf(report).join('\n\n'),
    ['| Assumption | Verdict | Value | | Evidence |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
    '',
  ].join('\n\n')
}

const requestsIn = (requests: readonly string[]): string =>
  requests
    .slice(0, 3)
    .map((request) => `\`${request}\``)
    .join(', ')

const sectionOfKind = ({ kind, requests }: ProbeReport['kinds'][number]): string =>
  `## ${kind}\n\nWhat does your service do with it? Requests that show a part of it: ${requestsIn(requests)}`

const sectionOf = ({ key, verdict, candidates, unexplained = [], needs, evidence }: Finding): string => {
  const definition: AssumptionDefinition = assumptionDefinitions[key]
  const values = 'values' in definition ? definition.values.filter(([value]) => candidates.includes(value)) : []
  const paragraphs = [
    `## ${key}`,
    `The specification says: "${definition.question}"`,
    verdict === 'unexplained' &&
      `Your service responds in a way that we do not expect${unexplained.length > 0 ? ` to: ${requestsIn(unexplained)}` : ''}. What is the rule?`,
    values.length > 0 &&
      [
        values.length > 1 ? 'Which of these is right?' : 'Is this right?',
        ...values.map(([value, meaning]) => `- ${String(value)}: ${meaning}`),
      ].join('\n'),
    evidence.length > 0 && `Requests that show a part of it: ${requestsIn(evidence)}`,
    needs !== undefined && `We could not see it ourselves. ${needs}`,
    `What we do until we know: ${definition.remedy}`,
  ]
  return paragraphs.filter(Boolean).join('\n\n')
}

/** A letter to the operator of the service about what stayed open. */
export const letterAbout = ({ origin, startedAt, findings, kinds, unsteady }: ProbeReport): string => {
  const open = findings.filter(({ verdict }) => verdict !== 'decided')
  const day = startedAt.slice(0, 10)
  const sections =
    unsteady.length > 0
      ? [
          `We read the ledger of our guild at ${origin}. On ${day}, the service responded in two ways to: ${requestsIn(unsteady)}. Was a new version deployed then, or do several versions respond?`,
        ]
      : [
          `We read the ledger of our guild at ${origin}. The specification of the service leaves the following open, and requests on ${day} did not show it.`,
          ...open.map(sectionOf),
          ...kinds.map(sectionOfKind),
        ]
  return ['# Questions about the ledger service', ...sections, ''].join('\n\n')
}
