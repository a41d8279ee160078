import { limitsFrom, type Plan, type Step } from './plan.ts'
import type { NotJudged, Reason, Runner, RunRequest, TestRun, Values } from './types.ts'

/** What the run under a value shows about the tests that it concerns, by name. */
export interface Judgement {
  readonly passed: ReadonlySet<string>
  readonly broken: ReadonlyMap<string, TestRun>
  readonly notJudged: ReadonlyMap<string, NotJudged>
}

const isFailure = (run?: TestRun): boolean => run?.status === 'failed' || run?.status === 'hung'

/** Why a test that passed does not count as passed under a value: the trace has to show that it was in force. */
export const doubtAbout = ({ status, trace }: TestRun, step: Pick<Step, 'values' | 'alternative'>) => {
  const { values, alternative } = step
  const doubt = (reason: Reason, detail?: string): NotJudged => ({ reason, values, detail })
  if (status !== 'passed') return doubt(status === 'skipped' ? 'skips itself' : 'run ended')
  if (trace && trace.untraced.length > 0) return doubt('server without a trace', trace.untraced.join(', '))
  const others = trace?.inForce.filter((one) => one.startsWith(`${alternative.key}=`) && one !== values) ?? []
  if (others.length > 0) return doubt('value not in force', `a response had ${others.join(' and ')}`)
  return trace?.inForce.includes(values) ? undefined : doubt('not repeated')
}

const hungIn = (runs: readonly TestRun[]): string[] =>
  runs.flatMap(({ name, status }) => (status === 'hung' ? name : []))

/** The result that counts: that of the first run if it passes, or else the same twice in a row; `undefined` if there is none. */
const settledIn = (runs: readonly TestRun[]): TestRun | undefined => {
  const [last, before] = runs.toReversed()
  if (!last) return undefined
  const isSettled = before ? isFailure(before) === isFailure(last) : !isFailure(last) || last.isRepeated
  return isSettled ? last : undefined
}

/** A test that fails, and then passes, is tried so often. */
const mostResults = 3

/**
 * Runs what a value concerns, and repeats what fails. A test breaks if it fails twice in a row, and, where others of its file
 * fail with it, also alone, and passes alone under the base values.
 */
export const createJudge = (runner: Runner, { tests: planned, ...plan }: Plan, base: Values) => {
  const fileOf = (name: string) => planned.get(name)?.run.file ?? ''
  const filesOf = (names: Iterable<string>) => new Set([...names].map(fileOf))
  const isStable = (name: string) => planned.has(name) && !planned.get(name)?.reason
  /** They grow where the machine has become slower. */
  let { limits } = plan
  /** Tests that ran alone under the base values, and whether they passed. */
  const aloneUnderBase = new Map<string, boolean>()

  const run = async (values: Values, selection: Pick<RunRequest, 'files' | 'tests'>): Promise<readonly TestRun[]> => {
    // Under the base values, where every test has ended before, a slow machine is likelier than a test that hangs.
    const patience = values === base ? 3 : 1
    const runs = await runner.run({
      values,
      limits: { testMs: patience * limits.testMs, runMs: patience * limits.runMs },
      ...(runner.selects && selection),
    })
    const left = new Set(runs.filter(({ status }) => status === 'not-run').map(({ name }) => name))
    if (!runner.selects || left.size === 0 || left.size === runs.length) return runs
    // Another test hung or ended the process.
    return [...runs.filter(({ name }) => !left.has(name)), ...(await run(values, { tests: left }))]
  }

  /** Runs files under the base values, and lets the limits follow. Returns the tests that were stopped there, too. */
  const measure = async (files: ReadonlySet<string>): Promise<readonly string[]> => {
    const started = performance.now()
    const runs = await run(base, { files })
    const hung = hungIn(runs)
    const now = hung.length > 0 ? limits : limitsFrom(runs, performance.now() - started)
    limits = { testMs: Math.max(limits.testMs, now.testMs), runMs: Math.max(limits.runMs, now.runMs) }
    return hung
  }

  /** The results of each test under some values: what fails is repeated, and what a slow machine did not get to. */
  const runRepeatedly = async (values: Values, files: ReadonlySet<string>) => {
    const results = new Map<string, TestRun[]>()
    /** Tests that were stopped, also under the base values. */
    const stopped = new Set<string>()
    let isSlower = false
    for (let left = files, nth = 0; left.size > 0 && nth <= mostResults; nth++) {
      const before = limits
      const runs = await run(values, { files: left })
      const hung = hungIn(runs).filter(isStable)
      if (nth === 0 && hung.length > 0) {
        for (const name of await measure(filesOf(hung))) stopped.add(name)
        isSlower = limits.testMs > before.testMs || limits.runMs > before.runMs
      }
      const isTooEarly = nth === 0 && isSlower
      for (const one of runs) {
        const earlier = results.get(one.name) ?? []
        const isResult = one.status !== 'not-run' && !(isTooEarly && one.status === 'hung') && !settledIn(earlier)
        results.set(one.name, isResult ? [...earlier, one] : earlier)
      }
      const open = [...results].filter(
        ([name, { length }]) => isStable(name) && !settledIn(results.get(name) ?? []) && (length > 0 || isSlower),
      )
      left = filesOf(open.flatMap(([name, { length }]) => (length < mostResults ? name : [])))
    }
    return { results, stopped }
  }

  /** Runs each test without the others of its file: in one run the first of each file, in the next the second, … */
  const runAlone = async (values: Values, names: readonly string[]): Promise<Map<string, TestRun>> => {
    const byFile = [...Map.groupBy(names, fileOf).values()]
    const results = new Map<string, TestRun>()
    for (let round = 0; byFile.some(({ length }) => length > round); round++) {
      const tests = new Set(byFile.flatMap((ofFile) => ofFile[round] ?? []))
      for (const one of await run(values, { tests })) results.set(one.name, one)
    }
    return results
  }

  const runAloneUnderBase = async (names: readonly string[]): Promise<void> => {
    const fresh = names.filter((name) => !aloneUnderBase.has(name))
    for (const [name, { status }] of await runAlone(base, fresh)) aloneUnderBase.set(name, status === 'passed')
  }

  /** Why the failure of a test that fails with others of its file does not count; `undefined` if it does. */
  const doubtsAlone = async (values: Values, names: readonly string[]): Promise<Map<string, Reason>> => {
    const alone = await runAlone(values, names)
    await runAloneUnderBase(names)
    const passing = names.filter((name) => !isFailure(alone.get(name)))
    return new Map<string, Reason>([
      ...passing.map((name) => [name, 'fails after others'] as const),
      ...names.filter((name) => !aloneUnderBase.get(name)).map((name) => [name, 'needs other tests'] as const),
    ])
  }

  return {
    async judge(step: Step): Promise<Judgement> {
      const values = { ...base, [step.alternative.key]: step.alternative.value }
      const { results, stopped } = await runRepeatedly(values, step.files)
      const failing = new Map<string, TestRun>()
      const passed = new Set<string>()
      const notJudged = new Map<string, NotJudged>()
      const doubt = (name: string, reason: Reason) => notJudged.set(name, { reason, values: step.values })
      for (const [name, ofTest] of results) {
        if (!isStable(name)) continue
        const settled = settledIn(ofTest)
        if (!settled && ofTest.length > 0) doubt(name, 'flaky')
        else if (isFailure(settled) && stopped.has(name)) doubt(name, 'stopped')
        else if (settled && isFailure(settled)) failing.set(name, settled)
        else if (step.tests.has(name)) {
          const unsure = settled ? doubtAbout(settled, step) : { reason: 'run ended' as const, values: step.values }
          if (unsure) notJudged.set(name, unsure)
          else passed.add(name)
        }
      }
      // What one of several left behind may be the cause of the others.
      const company = [...Map.groupBy(failing.keys(), fileOf).values()].filter(({ length }) => length > 1).flat()
      for (const [name, reason] of runner.selects ? await doubtsAlone(values, company) : []) doubt(name, reason)
      return { passed, broken: new Map([...failing].filter(([name]) => !notJudged.has(name))), notJudged }
    },
    /** Which of some tests pass under the base values. */
    async recheck(tests: ReadonlySet<string>): Promise<ReadonlySet<string>> {
      const runs = tests.size > 0 ? await run(base, { files: filesOf(tests) }) : []
      return new Set(runs.filter(({ status }) => status === 'passed').map(({ name }) => name))
    },
    /** Which of some tests that pass under the base values do so only with others of their file. */
    async needOthers(tests: readonly string[]): Promise<readonly string[]> {
      if (!runner.selects) return []
      await runAloneUnderBase(tests)
      return tests.filter((name) => !aloneUnderBase.get(name))
    },
  }
}
