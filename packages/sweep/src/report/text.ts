import {
  assumptionDefinitions,
  formatQuestions,
  type AssumptionDefinition,
} from '@guild-ledger/mock-server/assumptions'
import { reasons, type Break, type NotJudged, type TestResult } from '../types.ts'
import { testsWith, type SweepReport } from './report.ts'

// Control characters, and those that change the direction of the text after them.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** Text without commands for a terminal, which the title of a test or what it prints may have. */
export const printable = (text: string): string => text.replaceAll(control, ' ')

/** A break with its test. */
export interface BrokenTest extends Break {
  readonly test: string
}

/** Breaks that one assumption causes, with what there is to say about it. */
export interface Group {
  /** Name of the assumption, or of several. */
  readonly name: string
  readonly question: string
  readonly remedy: string
  readonly broken: readonly BrokenTest[]
}

/** The breaks that are not accepted, by assumption. */
export const groupsOf = (results: readonly TestResult[]): Group[] => {
  const broken = results.flatMap(({ test, breaks }) =>
    breaks.filter(({ accepted }) => accepted === undefined).map((one) => ({ ...one, test })),
  )
  const keysOf = ({ values }: Break) => values.replaceAll(/=[^,]*/g, '')
  return [...Map.groupBy(broken, keysOf)].map(([keys, ofKeys]) => {
    const definitions = keys
      .split(',')
      .map((key): AssumptionDefinition => assumptionDefinitions[key as keyof typeof assumptionDefinitions])
    return {
      name: keys.replaceAll(',', ', '),
      question: definitions.map(({ question }) => `"${question}"`).join(' '),
      remedy: definitions.map(({ remedy }) => remedy).join(' '),
      broken: ofKeys,
    }
  })
}

/** What `pageUnit=group` means. */
export const meaningOf = (values: string): string => {
  const [key = '', value = ''] = values.split('=')
  const definition: AssumptionDefinition | undefined = assumptionDefinitions[key as keyof typeof assumptionDefinitions]
  if (!definition || values.includes(',')) return ''
  return 'values' in definition
    ? (definition.values.find(([one]) => String(one) === value)?.[1] ?? '')
    : definition.meaning
}

/** `pageUnit=group maxPage=1: …`, for each reason that a test has. */
const notJudgedText = (all: readonly NotJudged[]): string => {
  const textOf = ({ reason, detail }: NotJudged) => `${reasons[reason]}${detail === undefined ? '' : ` (${detail})`}`
  return [...Map.groupBy(all, textOf)]
    .map(([text, ofText]) => {
      const values = ofText.flatMap((one) => one.values ?? [])
      const more = values.length > 3 ? ` and ${values.length - 3} more` : ''
      return values.length > 0 ? `${values.slice(0, 3).join(' ')}${more}: ${text}` : text
    })
    .join('; ')
}

/** Something to say besides the breaks: a label, and lines such as one for each test. */
export type Section = readonly [label: string, lines: readonly string[]]

/** What there is to say besides the breaks; with `verbose`, also what each test passed. */
export const sectionsOf = (report: SweepReport, verbose: boolean): Section[] => {
  const { results, stale, untouched, onRequest } = report
  const named = (items: readonly string[]) => (items.length > 0 ? [items.join(', ')] : [])
  const withSome = <Key extends 'notJudged' | 'passed'>(key: Key, text: (all: TestResult[Key]) => string) =>
    results.filter((result) => result[key].length > 0).map((result) => `${result.test}: ${text(result[key])}`)
  const sections: Section[] = [
    ['Stale entries, which accept nothing', stale.map(({ test, values }) => `${test} under ${values}`)],
    ['Not judged', withSome('notJudged', notJudgedText)],
    ['Unreached: no mock responded to them', testsWith(report, 'unreached').map(({ test }) => test)],
    ['Passed under other values', verbose ? withSome('passed', (passed) => passed.join(' ')) : []],
    ['Untouched: no response to a test depends on these', formatQuestions(untouched)],
    ['Set by tests themselves', named([...new Set(results.flatMap(({ pinned }) => pinned))])],
    ['Tried only with --include', named(onRequest)],
  ]
  return sections.filter(([, lines]) => lines.length > 0)
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The sentences that sum it all up. */
export const headline = (report: SweepReport): string => {
  const { tests, reached, results, stale, late, seconds, runs } = report
  const count = (kind: Parameters<typeof testsWith>[1]) => testsWith(report, kind).length
  const [breaks, accepted] = [count('breaks'), count('accepted')]
  const others = [
    accepted > 0 ? `${accepted} accepted` : '',
    `${count('passed under other values')} passed under other values`,
    `${count('untouched')} untouched`,
    `${results.filter(({ notJudged }) => notJudged.length > 0).length} not judged`,
    `${count('unreached')} unreached`,
  ]
  const more = [
    stale.length > 0 ? ` ${plural(stale.length, 'accepted entry').replace(/ys$/, 'ies')} stale.` : '',
    late.length > 0 ? ` Time was up before ${late.join(', ')}.` : '',
  ]
  return `${breaks} of ${plural(tests, 'test')} ${breaks === 1 ? 'breaks' : 'break'} under other values; ${others.filter(Boolean).join(', ')}. ${reached} reached a mock; ${plural(runs, 'run')} in ${Math.round(seconds)} s.${more.join('')}`
}

/** The entry of a lock file that accepts a break. */
export const lockEntryOf = ({ test, values }: BrokenTest): string => JSON.stringify({ test, values, reason: '' })
