import {
  assume,
  changedValues,
  formatAssumptions,
  parseAssumptionList,
  type AssumptionKey,
} from '@guild-ledger/mock-server/assumptions'
import { createJudge } from './judge.ts'
import { planOf } from './plan.ts'
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

/** A test, and what is known of it so far. */
interface Row {
  readonly run: TestRun
  readonly breaks: Break[]
  readonly passed: string[]
  readonly notJudged: NotJudged[]
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
  const breakOf = ({ name, status, message, location }: TestRun, values: Values): Break => {
    const kind = status === 'hung' ? 'hangs' : 'fails'
    return {
      values: formatAssumptions(values),
      kind,
      message,
      location,
      replay: runner.replay(name, { ...base, ...values }),
    }
  }

  onProgress?.({ label: 'before any value is changed', done: 0, total: 0 })
  const first = await runner.run({ values: base })
  const second = await runner.run({ values: base })
  const keys = [...known, ...(Object.keys(base) as AssumptionKey[])]
  const { tests, steps, limits, ...left } = planOf(first, second, { base, known: keys, include, longestMs })
  const rows = new Map(
    [...tests].map(([name, { run }]): [string, Row] => [name, { run, breaks: [], passed: [], notJudged: [] }]),
  )
  const rowOf = (name: string) => rows.get(name) as Row
  const judge = createJudge(runner, { tests, steps, limits, ...left }, base)

  // A test that fails under what is known of the service, and passes under the defaults, breaks.
  const changed = changedValues(assume(base))
  const failing = new Set([...tests].filter(([, { reason }]) => reason === 'fails').map(([name]) => name))
  const request = { values: {}, limits, ...(runner.selects && { tests: failing }) }
  const isWorthARun = failing.size > 0 && Object.keys(changed).length > 0
  for (const { name, status } of isWorthARun ? await runner.run(request) : []) {
    if (failing.has(name) && status === 'passed') rowOf(name).breaks.push(breakOf(rowOf(name).run, changed))
  }
  for (const [name, { run, reason }] of tests) {
    const { breaks, notJudged } = rowOf(name)
    const untraced = run.trace?.untraced ?? []
    if (reason && breaks.length === 0) notJudged.push({ reason, detail: run.message })
    if (untraced.length > 0) notJudged.push({ reason: 'server without a trace', detail: untraced.join(', ') })
  }

  const late: string[] = []
  for (const [done, step] of steps.entries()) {
    if (seconds() > maxSeconds) {
      late.push(step.values)
      continue
    }
    onProgress?.({ label: step.values, done, total: steps.length })
    const { passed, broken, notJudged } = await judge.judge(step)
    const { key, value } = step.alternative
    for (const name of passed) rowOf(name).passed.push(step.values)
    for (const [name, run] of broken) rowOf(name).breaks.push(breakOf(run, { [key]: value }))
    for (const [name, doubt] of notJudged) {
      // That is said once, and not for each value.
      const isSaid = rowOf(name).notJudged.some(({ reason }) => reason === 'server without a trace')
      if (!isSaid || doubt.reason !== 'server without a trace') rowOf(name).notJudged.push(doubt)
    }
  }
  const broken = [...rows].filter(([name, { breaks }]) => breaks.length > 0 && !failing.has(name)).map(([name]) => name)
  const passing = await judge.recheck(new Set(broken))
  for (const name of broken.filter((one) => !passing.has(one))) {
    rowOf(name).breaks.length = 0
    rowOf(name).notJudged.push({ reason: 'flaky' })
  }
  // Its command would fail under every value.
  for (const name of await judge.needOthers([...passing].filter((one) => broken.includes(one)))) {
    const row = rowOf(name)
    const replayed = row.breaks.map((one) => {
      const values = { ...base, ...parseAssumptionList(one.values) }
      return { ...one, replay: runner.replay(name, values, 'file') }
    })
    row.breaks.splice(0, row.breaks.length, ...replayed)
  }
  const counted = named([...rows.values()])
  const reached = counted.filter(({ run }) => (run.trace?.responses ?? 0) > 0).length
  return { results: counted.map(resultOf), reached, runs, seconds: seconds(), ...left, late }
}
