import type { Plan, Step } from './plan.ts'
import type { NotJudged, Reason, Runner, RunRequest, TestRun, Values } from './types.ts'

/** What the run under a value shows about the tests that it concerns, by name. */
export interface Judgement {
  readonly passed: ReadonlySet<string>
  readonly broken: ReadonlyMap<string, TestRun>
  readonly notJudged: ReadonlyMap<string, NotJudged>
}

const failuresIn = (runs: readonly TestRun[]): Map<string, TestRun> =>
  new Map(runs.filter(({ status }) => status === 'failed' || status === 'hung').map((run) => [run.name, run]))

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

/** Judges one step after the other. */
export interface Judge {
  judge(step: Step): Promise<Judgement>
  /** Which of some tests pass under the base values. */
  recheck(tests: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /** Which of some tests that pass under the base values do so only with others of their file. */
  needOthers(tests: readonly string[]): Promise<readonly string[]>
}

/**
 * Runs what a value concerns, and repeats what fails. A test breaks if it fails again, and, where others of its file fail
 * with it, also alone, and passes alone under the base values.
 */
export const createJudge = (runner: Runner, { tests: planned, limits }: Plan, base: Values): Judge => {
  const fileOf = (name: string) => planned.get(name)?.run.file ?? ''
  const filesOf = (names: Iterable<string>) => new Set([...names].map(fileOf))
  const isStable = (name: string) => planned.has(name) && !planned.get(name)?.reason
  /** Under the base values, where every test has ended before, a slow machine is likelier than a test that hangs. */
  const patient = { testMs: 3 * limits.testMs, runMs: 3 * limits.runMs }
  /** Tests that ran alone under the base values, and whether they passed. */
  const aloneUnderBase = new Map<string, boolean>()

  const run = async (values: Values, selection: Pick<RunRequest, 'files' | 'tests'>): Promise<readonly TestRun[]> => {
    const runs = await runner.run({
      values,
      limits: values === base ? patient : limits,
      ...(runner.selects && selection),
    })
    const left = new Set(runs.filter(({ status }) => status === 'not-run').map(({ name }) => name))
    if (!runner.selects || left.size === 0 || left.size === runs.length) return runs
    // Another test hung or ended the process.
    return [...runs.filter(({ name }) => !left.has(name)), ...(await run(values, { tests: left }))]
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
    const alone = failuresIn([...(await runAlone(values, names)).values()])
    await runAloneUnderBase(names)
    return new Map(
      names.flatMap((name): [string, Reason][] => {
        if (!aloneUnderBase.get(name)) return [[name, 'needs other tests']]
        return alone.has(name) ? [] : [[name, 'fails after others']]
      }),
    )
  }

  /** Repeats failures; returns why some of them do not count. */
  const doubtsAbout = async (values: Values, failing: ReadonlyMap<string, TestRun>): Promise<Map<string, Reason>> => {
    const once = [...failing.values()].filter(({ isRepeated }) => !isRepeated).map(({ name }) => name)
    const again = once.length > 0 ? failuresIn(await run(values, { files: filesOf(once) })) : new Map<string, TestRun>()
    const flaky = new Map(once.filter((name) => !again.has(name)).map((name) => [name, 'flaky' as const]))
    if (!runner.selects) return flaky
    const left = [...failing.keys()].filter((name) => !flaky.has(name))
    // What one of several left behind may be the cause of the others.
    const company = [...Map.groupBy(left, fileOf).values()].filter(({ length }) => length > 1).flat()
    return new Map([...flaky, ...(await doubtsAlone(values, company))])
  }

  return {
    async judge(step) {
      const values = { ...base, [step.alternative.key]: step.alternative.value }
      const runs = await run(values, { files: step.files })
      const failing = failuresIn(runs.filter(({ name }) => isStable(name)))
      const doubts = await doubtsAbout(values, failing)
      const notJudged = new Map<string, NotJudged>()
      for (const [name, reason] of doubts) notJudged.set(name, { reason, values: step.values })
      const passed = new Set<string>()
      for (const result of runs.filter(({ name }) => step.tests.has(name) && !failing.has(name))) {
        const doubt = doubtAbout(result, step)
        if (doubt) notJudged.set(result.name, doubt)
        else passed.add(result.name)
      }
      return { passed, broken: new Map([...failing].filter(([name]) => !doubts.has(name))), notJudged }
    },
    async recheck(tests) {
      const runs = tests.size > 0 ? await run(base, { files: filesOf(tests) }) : []
      return new Set(runs.filter(({ status }) => status === 'passed').map(({ name }) => name))
    },
    async needOthers(tests) {
      if (!runner.selects) return []
      await runAloneUnderBase(tests)
      return tests.filter((name) => !aloneUnderBase.get(name))
    },
  }
}
