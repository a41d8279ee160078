import { assumptionDefinitions, formatAssumptions, type AssumptionDefinition } from '../../assumptions/index.ts'
import type { LockComparison } from '../lock.ts'
import type { Break, NotTried, SweepReport, TestAndValues } from '../types.ts'

/** What a reporter gets. */
export interface ReportInput {
  /** What the sweep found. */
  readonly report: SweepReport
  /** How that compares with `sweep.lock`. */
  readonly lock: LockComparison
}

/** One line about something: what it is, and the text. */
export type Line = readonly [label: string, text: string]

const meaningOf = (definition: AssumptionDefinition, value: unknown): string =>
  'values' in definition ? (definition.values.find(([one]) => one === value)?.[1] ?? '') : definition.meaning

/** What each value means, the sentence of the spec, and the remedy. */
const linesOfValues = (values: Break['values']): Line[] =>
  Object.entries(values).flatMap(([key, value]): Line[] => {
    const definition: AssumptionDefinition = assumptionDefinitions[key as keyof typeof assumptionDefinitions]
    return [
      ['Under', `${key}=${String(value)}: ${meaningOf(definition, value)}`],
      ['Spec', `"${definition.question}"`],
      ['Remedy', definition.remedy],
    ]
  })

/** Everything there is to say about a break. */
export const linesOfBreak = ({ values, kind, message, location, replay }: Break): Line[] => [
  ...linesOfValues(values),
  [
    kind === 'hangs' ? 'Hangs' : 'Fails',
    message ?? (kind === 'hangs' ? 'the test did not end in time' : 'without a message'),
  ],
  ...(location === undefined ? [] : [['At', location] as const]),
  ['Replay', replay],
]

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The sentence that sums it all up. */
export const headline = ({ report, lock }: ReportInput): string => {
  const tests = new Set(lock.unaccepted.map(({ test }) => test)).size
  const depends = tests === 1 || report.tests === 1 ? 'depends' : 'depend'
  const accepted =
    lock.accepted.length > 0 ? ` ${plural(lock.accepted.length, 'dependency').replace(/ys$/, 'ies')} accepted.` : ''
  const stale =
    lock.stale.length > 0 ? ` ${plural(lock.stale.length, 'accepted entry').replace(/ys$/, 'ies')} stale.` : ''
  const withoutResult = new Set(report.notTriedAfterHang.map(({ test }) => test)).size
  const notTried = withoutResult > 0 ? ` ${plural(withoutResult, 'test')} not tried under some values.` : ''
  const late = report.notTried.length > 0 ? ` ${plural(report.notTried.length, 'value')} left out: time was up.` : ''
  return `${tests} of ${plural(report.tests, 'test')} ${depends} on unspecified behaviour.${accepted}${stale}${notTried}${late}`
}

/** `pageUnit=group (3 tests)`, from what concerns each test. */
const byValue = (tests: readonly TestAndValues[]): string => {
  const counts = new Map<string, number>()
  for (const { values } of tests) for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => `${value} (${plural(count, 'test')})`).join(', ')
}

const listed = (label: string, items: readonly string[]): Line[] =>
  items.length === 0 ? [] : [[label, items.join(', ')]]

/** Why a test has no result under a value. */
export const notTriedLabels: Readonly<Record<NotTried['reason'], string>> = {
  'hung before': 'the test hung under another value',
  'skips itself': 'the test skips itself under the value',
  'run ended': 'another test hung or ended the run',
}

/** What there is to say besides the breaks. */
export const summaryLines = ({ report, lock }: ReportInput): Line[] => {
  const { survives, untouched, pinned, setAside, notTried, notTriedAfterHang, skipped, cost } = report
  const others = cost.testRuns < cost.withoutTrace ? ', the others depend on nothing that was changed' : ''
  const share = `${cost.testRuns} of ${plural(cost.withoutTrace, 'test run')} needed${others}`
  return [
    ...listed(
      'Stale',
      lock.stale.map(({ test, values }) => `${test} under ${values}`),
    ),
    ...listed(
      'Survives: responses changed and no test failed; robust, or the assertions are too weak',
      survives.length > 0 ? [byValue(survives)] : [],
    ),
    ...listed('Untouched: no response to a test depends on it', untouched),
    ...listed('Pinned: set by the test itself', pinned.length > 0 ? [byValue(pinned)] : []),
    ...listed(
      'Set aside',
      setAside.map(({ test, reason }) => `${test} (${reason})`),
    ),
    ...listed('Not tried, because the time was up', notTried),
    ...Object.entries(notTriedLabels).flatMap(([reason, label]) =>
      listed(
        `Not tried: ${label}`,
        notTriedAfterHang
          .filter((one) => one.reason === reason)
          .map(({ test, values }) => `${test} under ${values.join(' ')}`),
      ),
    ),
    ...listed('Skipped as decided', skipped),
    ['Cost', `${plural(cost.runs, 'run')} in ${Math.round(cost.seconds)} s; ${share}`],
  ]
}

/** The entry of a lock file that accepts a break. */
export const lockEntryOf = ({ test, values }: Break): string =>
  JSON.stringify({ test, values: formatAssumptions(values), reason: '' })
