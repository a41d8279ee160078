import { assume, changedValues, formatAssumptions, type AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { createJudge, type Judgement } from './judge.ts'
import { planOf, type Plan, type Step } from './plan.ts'
import type { Break, NotJudged, ResultKind, Runner, TestResult, TestRun, Values } from './types.ts'

/** How far a sweep is. */
export interface SweepProgress {
  /** What runs now. */
  readonly label: string
  /** Runs under other values that are done. */
  readonly done: number
  readonly total: number
}

/** What to sweep, and for how long. */
export interface SweepOptions {
  /** Runs the tests. It is not closed. */
  readonly runner: Runner
  /**
   * Values that every mock starts from, such as those that the probe decided. They are not changed.
   *
   * @default {}
   */
  readonly base?: Values
  /** Further assumptions that are not changed. */
  readonly known?: readonly AssumptionKey[]
  /** Assumptions to try although hardly a client can work under 1: `maxPage`, `maxKeysPerGuild`. */
  readonly include?: readonly AssumptionKey[]
  /** Seconds after which no further value is tried; unlimited by default. */
  readonly maxSeconds?: number
  readonly onProgress?: (progress: SweepProgress) => void
}

/** What a sweep found. */
export interface SweepFindings {
  readonly results: readonly TestResult[]
  /** Tests that got a response from a mock. */
  readonly reached: number
  /** Runs of the suite, or of some of its files. */
  readonly runs: number
  readonly seconds: number
  /** Assumptions that no response to any test depends on. */
  readonly untouched: readonly AssumptionKey[]
  /** Values that are tried only on request. */
  readonly onRequest: readonly string[]
  /** Values that were not tried because the time was up. */
  readonly late: readonly string[]
}

/** What one run shows about a test. */
interface Verdict {
  readonly test: string
  /** How it failed, and under which values. */
  readonly broken?: { readonly run: TestRun; readonly values: Values }
  /** The value under which it passed. */
  readonly passed?: string
  readonly notJudged?: NotJudged
}

const verdictsIn = ({ passed, broken, notJudged }: Judgement, { values, alternative }: Step): Verdict[] => [
  ...[...passed].map((test) => ({ test, passed: values })),
  ...[...broken].map(([test, run]) => ({ test, broken: { run, values: { [alternative.key]: alternative.value } } })),
  ...[...notJudged].map(([test, doubt]) => ({ test, notJudged: doubt })),
]

/** Why a test is not judged, or not under every value, before any value is changed. */
const verdictsBefore = (tests: Plan['tests'], isBroken: (test: string) => boolean): Verdict[] =>
  [...tests].flatMap(([test, { run, reason }]): Verdict[] => {
    const untraced = run.trace?.untraced ?? []
    return [
      ...(reason && !isBroken(test) ? [{ test, notJudged: { reason, detail: run.message } }] : []),
      ...(untraced.length > 0
        ? [{ test, notJudged: { reason: 'server without a trace', detail: untraced.join(', ') } as const }]
        : []),
    ]
  })

/** A test, and what all runs show about it. */
interface Row extends Pick<TestResult, 'breaks' | 'passed' | 'notJudged'> {
  readonly run: TestRun
}

/** That a server has no trace is said once, and not for each value. */
const saidOnce = (doubts: readonly NotJudged[]): NotJudged[] => {
  const untraced = doubts.find(({ reason }) => reason === 'server without a trace')
  return doubts.filter((one) => one === untraced || one.reason !== 'server without a trace')
}

const resultOf = ({ run, breaks, passed, notJudged }: Row): TestResult => {
  const { responses = 0, touched = [], pinned = [] } = run.trace ?? {}
  const kinds: [ResultKind, boolean][] = [
    ['breaks', breaks.length > 0],
    ['not judged', notJudged.length > 0],
    ['unreached', responses + touched.length + pinned.length === 0],
    ['passed under other values', passed.length > 0],
  ]
  const result = kinds.find(([, applies]) => applies)?.[0] ?? 'untouched'
  return { test: run.name, result, breaks, passed, notJudged, pinned }
}

/** The tests; the command as a whole counts where it breaks, or where there is nothing else. */
const named = (rows: readonly Row[]): Row[] => {
  const tests = rows.filter(({ run, breaks }) => !run.isCommand || breaks.length > 0)
  return tests.length > 0 ? tests : [...rows]
}

/**
 * Finds out which tests of a bot depend on which unspecified behaviour: runs the tests under every other value that changes
 * a response to them, one value per run.
 *
 * @throws {SweepError} There is no test, none passes, or none reaches a mock.
 */
export const sweep = async (options: SweepOptions): Promise<SweepFindings> => {
  const { base = {}, known = [], include = [], maxSeconds = Number.POSITIVE_INFINITY, onProgress } = options
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  let runs = 0
  let longestMs = 0
  const runner: Runner = {
    ...options.runner,
    async run(request) {
      runs++
      const from = performance.now()
      const found = await options.runner.run(request)
      longestMs = Math.max(longestMs, performance.now() - from)
      return found
    },
  }
  onProgress?.({ label: 'before any value is changed', done: 0, total: 0 })
  const first = await runner.run({ values: base })
  const second = await runner.run({ values: base })
  const keys = [...known, ...(Object.keys(base) as AssumptionKey[])]
  const { tests, steps, limits, ...left } = planOf(first, second, { base, known: keys, include, longestMs })
  const judge = createJudge(runner, { tests, steps, limits, ...left }, base)

  // A test that fails under what is known of the service, and passes under the defaults, breaks.
  const changed = changedValues(assume(base))
  const failing = new Set([...tests].filter(([, { reason }]) => reason === 'fails').map(([name]) => name))
  const request = { values: {}, limits, ...(runner.selects && { tests: failing }) }
  const isWorthARun = failing.size > 0 && Object.keys(changed).length > 0
  const passingByDefault = new Set(
    (isWorthARun ? await runner.run(request) : []).flatMap(({ name, status }) => (status === 'passed' ? name : [])),
  )
  const isBrokenBefore = (test: string) => failing.has(test) && passingByDefault.has(test)
  const verdicts: Verdict[] = [
    ...[...tests].flatMap(([test, { run }]) =>
      isBrokenBefore(test) ? { test, broken: { run, values: changed } } : [],
    ),
    ...verdictsBefore(tests, isBrokenBefore),
  ]

  const late: string[] = []
  for (const [done, step] of steps.entries()) {
    if (seconds() > maxSeconds) {
      late.push(step.values)
      continue
    }
    onProgress?.({ label: step.values, done, total: steps.length })
    verdicts.push(...verdictsIn(await judge.judge(step), step))
  }
  const broken = [...new Set(verdicts.flatMap(({ test, broken: one }) => (one && !failing.has(test) ? test : [])))]
  const passing = await judge.recheck(new Set(broken))
  const flaky = new Set(broken.filter((test) => !passing.has(test)))
  // The command for one of these alone would fail under every value.
  const needOthers = new Set(await judge.needOthers(broken.filter((test) => passing.has(test))))

  const breakOf = ({ name, status, message, location }: TestRun, values: Values): Break => ({
    values: formatAssumptions(values),
    kind: status === 'hung' ? 'hangs' : 'fails',
    message,
    location,
    replay: runner.replay(name, { ...base, ...values }, needOthers.has(name) ? 'file' : undefined),
  })
  const ofTest = Map.groupBy(verdicts, ({ test }) => test)
  const rows = [...tests].map(([test, { run }]): Row => {
    const own = ofTest.get(test) ?? []
    const breaks = own.flatMap(({ broken: one }) => (one ? breakOf(one.run, one.values) : []))
    const doubts = own.flatMap(({ notJudged = [] }) => notJudged)
    return {
      run,
      breaks: flaky.has(test) ? [] : breaks,
      passed: own.flatMap(({ passed = [] }) => passed),
      notJudged: saidOnce([...doubts, ...(flaky.has(test) ? [{ reason: 'flaky' } as const] : [])]),
    }
  })
  const counted = named(rows)
  const reached = counted.filter(({ run }) => (run.trace?.responses ?? 0) > 0).length
  return { results: counted.map(resultOf), reached, runs, seconds: seconds(), ...left, late }
}
