import { describe, expect, it } from 'vitest'
import { doubtAbout } from './judge.ts'
import { sweep } from './sweep.ts'
import type { Runner, RunRequest, TestRun, TestStatus, TestTrace } from './types.ts'

const step = { alternative: { key: 'pageUnit', value: 'group' }, values: 'pageUnit=group' } as const
const traceWith = (changes: Partial<TestTrace> = {}): TestTrace => ({
  responses: 1,
  touched: ['pageUnit=transaction'],
  inForce: ['pageUnit=group'],
  pinned: [],
  untraced: [],
  ...changes,
})
const passed = { name: 'a.test.ts > a', file: 'a.test.ts', status: 'passed', durationMs: 1 } as const

describe('a test that passes under a value', () => {
  it('counts where a response that depends on the value had it', () => {
    expect(doubtAbout({ ...passed, trace: traceWith() }, step)).toBeUndefined()
  })

  it.each<[string, TestTrace | undefined, string]>([
    ['without a trace', undefined, 'not repeated'],
    ['where no response depended on it', traceWith({ inForce: ['tieOrder=ledger'] }), 'not repeated'],
    ['where a mock kept another value', traceWith({ inForce: ['pageUnit=transaction'] }), 'value not in force'],
    ['where one mock had it', traceWith({ inForce: ['pageUnit=group', 'pageUnit=transaction'] }), 'value not in force'],
    ['where another server responded, too', traceWith({ untraced: ['http://a'] }), 'server without a trace'],
  ])('does not count %s', (_case, trace, reason) => {
    expect(doubtAbout({ ...passed, trace }, step)).toMatchObject({ reason })
  })
})

/** How a test ends in each run, by what runs: `only` where it runs without the others of its file. */
type Behaviour = (run: { isChanged: boolean; only: boolean; nth: number }) => TestStatus

/** Runs tests of one file, each with one response that depends on `pageUnit`. */
const runnerOf = (behaviours: Record<string, Behaviour>): Runner => {
  const counts = new Map<string, number>()
  return {
    name: 'fake',
    selects: true,
    async run({ values, tests }: RunRequest) {
      const isChanged = values.pageUnit === 'group'
      const inForce = [`pageUnit=${isChanged ? 'group' : 'transaction'}`]
      const touched = [`pageUnit=${isChanged ? 'transaction' : 'group'}`]
      const names = Object.keys(behaviours).filter((name) => tests?.has(name) ?? true)
      return names.map((name): TestRun => {
        const nth = (counts.get(`${name} ${isChanged}`) ?? 0) + 1
        counts.set(`${name} ${isChanged}`, nth)
        const status = behaviours[name]?.({ isChanged, only: names.length === 1, nth }) ?? 'passed'
        return { name, file: 'a.test.ts', status, durationMs: 1, trace: traceWith({ touched, inForce }) }
      })
    },
    replay: (test, { pageUnit }, unit = 'test') => `${unit} ${test} ${pageUnit}`,
    close: async () => {},
  }
}

const resultsOf = async (behaviours: Record<string, Behaviour>) => {
  const { results } = await sweep({ runner: runnerOf({ robust: () => 'passed', ...behaviours }) })
  const found = results.map(({ test, result, breaks: [one], notJudged: [doubt] }) => {
    return [test, one?.kind.replace('fails', 'breaks') ?? doubt?.reason ?? result] as const
  })
  return Object.fromEntries(found)
}
const fails = (is: boolean): TestStatus => (is ? 'failed' : 'passed')

describe('a test that fails under a value', () => {
  it('breaks if it fails again', async () => {
    const results = await resultsOf({ a: ({ isChanged }) => fails(isChanged) })
    expect(results).toEqual({ a: 'breaks', robust: 'passed under other values' })
  })

  it.each([
    ['passed under other values', 'fails once, and passes twice', 1],
    ['flaky', 'passes only the second time', 2],
  ])('is %s if it %s', async (result, _how, other) => {
    const behaviour: Behaviour = ({ isChanged, nth }) => fails(isChanged && (other === 1 ? nth === 1 : nth !== other))
    expect(await resultsOf({ a: behaviour })).toMatchObject({ a: result })
  })

  it('is flaky if it does not pass under the base values any more', async () => {
    expect(await resultsOf({ a: ({ isChanged, nth }) => fails(isChanged || nth > 2) })).toMatchObject({ a: 'flaky' })
  })

  it.each<[reason: string, b: Behaviour]>([
    ['fails after others', ({ isChanged, only }) => fails(isChanged && !only)],
    ['needs other tests', ({ isChanged, only }) => fails(isChanged || only)],
  ])('is not blamed where it %s of its file', async (reason, b) => {
    expect(await resultsOf({ a: ({ isChanged }) => fails(isChanged), b })).toMatchObject({ a: 'breaks', b: reason })
  })

  it('is repeated with its file if it fails alone under the base values', async () => {
    const needy: Behaviour = ({ isChanged, only }) => fails(isChanged || only)

    const { results } = await sweep({ runner: runnerOf({ robust: () => 'passed', needy }) })
    const alone = await sweep({ runner: runnerOf({ robust: () => 'passed', a: ({ isChanged }) => fails(isChanged) }) })

    expect(results[1]).toMatchObject({ result: 'breaks', breaks: [{ replay: 'file needy group' }] })
    expect(alone.results[1]).toMatchObject({ breaks: [{ replay: 'test a group' }] })
  })

  it.each<[result: string, status: TestStatus]>([
    ['hangs', 'hung'],
    ['skips itself', 'skipped'],
  ])('%s if it is %s there', async (result, status) => {
    expect(await resultsOf({ a: ({ isChanged }) => (isChanged ? status : 'passed') })).toMatchObject({ a: result })
  })

  it.each<[result: string, how: string, slowMs: number, neededMs: number]>([
    ['passed under other values', 'passes with the time that the machine needs by now', 5000, 15_000],
    ['breaks', 'is stopped again with that time', 5000, Infinity],
    ['breaks', 'is stopped on a machine that is as fast as before', 1, 15_000],
    ['stopped', 'is stopped under the base values, too', Infinity, Infinity],
  ])('%s if it %s', async (expected, _how, slowMs, neededMs) => {
    const runner = runnerOf({ a: () => 'passed' })
    const run = async (request: RunRequest) => {
      const { values, limits: { testMs } = { testMs: Infinity } } = request
      const durationMs = testMs === Infinity ? 1 : values.pageUnit === 'group' ? neededMs : slowMs
      return (await runner.run(request)).map((one) =>
        durationMs > testMs ? { ...one, durationMs: testMs, status: 'hung' as const } : { ...one, durationMs },
      )
    }
    const { results } = await sweep({ runner: { ...runner, run } })
    expect(results.map(({ result, notJudged }) => notJudged[0]?.reason ?? result)).toEqual([expected])
  })

  it('runs again what a slow machine did not get to', async () => {
    const runner = runnerOf({ a: () => 'passed', b: ({ isChanged }) => fails(isChanged) })
    const run = async (request: RunRequest) => {
      const runs = await runner.run(request)
      const isStopped = request.values.pageUnit === 'group' && (request.limits?.testMs ?? 0) < 20_000
      if (!isStopped) return runs.map((one) => (request.limits ? { ...one, durationMs: 8000 } : one))
      return runs.map((one, i) => ({ ...one, status: i === 0 ? ('hung' as const) : ('not-run' as const) }))
    }
    const { results } = await sweep({ runner: { ...runner, selects: false, run } })
    expect(results.map(({ result }) => result)).toEqual(['passed under other values', 'breaks'])
  })

  it.each([0, 1])('breaks if run %i of the first two touched nothing', async (silent) => {
    const runner = runnerOf({ a: ({ isChanged }) => fails(isChanged) })
    let count = 0
    const run = async (request: RunRequest) => {
      const runs = await runner.run(request)
      return count++ === silent ? runs.map((one) => ({ ...one, trace: traceWith({ touched: [] }) })) : runs
    }
    expect((await sweep({ runner: { ...runner, run } })).results).toMatchObject([{ result: 'breaks' }])
  })

  it('breaks without a trace of its own: what it needs may come from another test', async () => {
    const runner = runnerOf({ first: () => 'passed', second: ({ isChanged }) => fails(isChanged) })
    const run = async (request: RunRequest) =>
      (await runner.run(request)).map((one) => (one.name === 'second' ? { ...one, trace: undefined } : one))
    const { results } = await sweep({ runner: { ...runner, run } })
    expect(results.map(({ result }) => result)).toEqual(['passed under other values', 'breaks'])
  })
})

it('a sweep says nothing about a test that is unstable from the start', async () => {
  const behaviours: Record<string, Behaviour> = {
    flaky: ({ isChanged, nth }) => fails(!isChanged && nth === 1),
    fails: () => 'failed',
    skips: () => 'skipped',
  }
  expect(await resultsOf(behaviours)).toMatchObject({ flaky: 'flaky', fails: 'fails', skips: 'skips itself' })
})

it('a sweep reports tests that fail only under what is known of the service', async () => {
  const { results } = await sweep({
    runner: runnerOf({ robust: () => 'passed', a: ({ isChanged }) => fails(isChanged) }),
    base: { pageUnit: 'group' },
  })
  expect(results.map(({ test, breaks, passed: under }) => [test, breaks.map(({ values }) => values), under])).toEqual([
    ['robust', [], []],
    ['a', ['pageUnit=group'], []],
  ])
})

/** Runs one test, which passes, with these traces. */
const tracedRunner = (changes: Partial<TestTrace>): Runner => {
  const runner = runnerOf({ a: () => 'passed' })
  const run = async (request: RunRequest) =>
    (await runner.run(request)).map((one) => ({ ...one, trace: traceWith({ ...one.trace, ...changes }) }))
  return { ...runner, run }
}

it('a sweep judges nothing that a server without a trace responds to, and says so once', async () => {
  const { results } = await sweep({ runner: tracedRunner({ untraced: ['http://a'] }) })

  expect(results[0]?.notJudged).toEqual([{ reason: 'server without a trace', detail: 'http://a' }])
})

it('a sweep tries maxPage and maxKeysPerGuild only on request', async () => {
  const runner = tracedRunner({ touched: ['maxPage=1', 'maxKeysPerGuild=1'] })

  expect((await sweep({ runner })).onRequest).toEqual(['maxPage=1', 'maxKeysPerGuild=1'])
  expect((await sweep({ runner, include: ['maxPage'] })).onRequest).toEqual(['maxKeysPerGuild=1'])
})

it('a sweep says which tests it reached, and what it did not try', async () => {
  const [reached, silent] = [tracedRunner({}), tracedRunner({ responses: 0, touched: [], inForce: [] })]
  const run = async (request: RunRequest) => {
    const others = await silent.run(request)
    return [...(await reached.run(request)), ...others.map((one) => ({ ...one, name: 'b' }))]
  }
  const found = await sweep({ runner: { ...reached, run }, maxSeconds: 0 })

  expect([found.reached, found.results.map(({ result }) => result)]).toEqual([1, ['untouched', 'unreached']])
  expect([found.late, found.untouched.includes('pageUnit')]).toEqual([['pageUnit=group'], false])
  expect(found.untouched).toContain('tieOrder')
})
