import { expect, it } from 'vitest'
import {
  sweep,
  type RunRequest,
  type Runner,
  type SweepProgress,
  type TestResult,
} from '@guild-ledger/mock-server/sweep'
import {
  assumptionDefinitions,
  formatAssumptions,
  parseAssumptionList,
  type AssumptionKey,
} from '../src/assumptions/index.ts'
import { createInProcessRunner } from './sweep-planted/in-process-runner.ts'
import { planted } from './sweep-planted/planted.ts'

const found = (report: Awaited<ReturnType<typeof sweep>>) =>
  report.breaks.map(({ test, values }) => `${test}: ${formatAssumptions(values)}`).toSorted()

/** All assumptions but a few, for tests that need no more. */
const skipAllBut = (...keys: AssumptionKey[]) =>
  (Object.keys(assumptionDefinitions) as AssumptionKey[]).filter((other) => !keys.includes(other))

/** A runner whose requests are recorded, and whose results can be changed. */
const recorded = (change: (result: TestResult, request: RunRequest) => TestResult = (result) => result) => {
  const whole = createInProcessRunner()
  const requests: RunRequest[] = []
  const runner: Runner = {
    ...whole,
    async run(request) {
      requests.push(request)
      return (await whole.run(request)).map((result) => change(result, request))
    },
  }
  return { runner, requests }
}

const valueOf = ({ assumptions, valuesByTest }: RunRequest, test: string) =>
  formatAssumptions(valuesByTest?.get(test) ?? assumptions)

// A token bucket and GCRA accept the same requests: nothing tells them apart.
const singles = [
  ...planted.singles.map(({ value }) => `depends on ${value}: ${value}`),
  'depends on rateLimitAlgorithm=token-bucket: rateLimitAlgorithm=gcra',
]

it('finds for every value of every assumption the one test that depends on it, and blames no other', async () => {
  const report = await sweep({ runner: createInProcessRunner() })

  expect(found(report)).toEqual(singles.toSorted())
  expect(report.setAside).toEqual([
    { test: 'is flaky', reason: 'flaky' },
    { test: 'fails', reason: 'fails' },
  ])
  expect(report.pinned).toContainEqual({ test: 'is pinned', values: ['pageUnit'] })
  expect(report.untouched).toEqual([])
  expect(report.survives.map(({ test }) => test)).toContain('is robust 1')
  expect(report.cost.testRuns).toBeLessThan(report.cost.withoutTrace / 5)
  // Tests run under different values in one run: fewer runs than there are values.
  expect(report.cost.runs).toBeLessThan(40)
})

it('finds the tests that depend on two values together, and names only these two', { timeout: 20_000 }, async () => {
  const report = await sweep({ runner: createInProcessRunner(), pairs: true })

  const pairs = planted.pairs.map(({ values }) => `depends on ${values.join(' and ')}: ${values.join(',')}`)
  expect(found(report).filter((one) => one.includes(' and '))).toEqual(pairs.toSorted())
  expect(report.breaks).toHaveLength(singles.length + pairs.length)
})

it('starts from the base values, and leaves out the assumptions to skip', async () => {
  const report = await sweep({
    runner: createInProcessRunner(),
    base: { sourceMatch: 'contains', createdAtFormat: 'milliseconds' },
    skip: ['sourceMatch', 'pageUnit'],
  })

  expect(found(report).filter((one) => /: (sourceMatch|pageUnit)=/.test(one))).toEqual([
    'depends on sourceMatch=contains: sourceMatch=contains',
  ])
  expect(report.setAside).toContainEqual({ test: 'fails', reason: 'fails' })
  expect(report.setAside.map(({ test }) => test)).not.toContain('depends on sourceMatch=contains')
  expect(report.skipped).toEqual(['sourceMatch', 'pageUnit'])
  const survived = report.survives.flatMap(({ values }) => values)
  expect(survived.filter((value) => /^(sourceMatch|pageUnit)=/.test(value))).toEqual([])
})

it('names all base values for a test that fails under several of them together', async () => {
  const [pair] = planted.pairs
  const values = pair?.values.join(',') ?? ''
  const report = await sweep({
    runner: createInProcessRunner(),
    base: parseAssumptionList(values),
    skip: Object.keys(assumptionDefinitions) as AssumptionKey[],
  })

  expect(found(report)).toContain(`depends on ${pair?.values.join(' and ')}: ${values}`)
})

it('repeats a failure under the base values, too', async () => {
  const report = await sweep({
    runner: createInProcessRunner(),
    base: { sourceMatch: 'contains' },
    skip: skipAllBut('createdAtFormat', 'userSortOrder'),
    pairs: true,
  })

  const lines = report.breaks.map(({ replay }) => replay)
  expect(lines).toContain('{"sourceMatch":"contains","createdAtFormat":"offset"} depends on createdAtFormat=offset')
  expect(lines).toContain(
    '{"sourceMatch":"contains","createdAtFormat":"seconds","userSortOrder":"asc"} depends on createdAtFormat=seconds and userSortOrder=asc',
  )
})

it('stops when the time is up and lists the values that were not tried', async () => {
  const report = await sweep({ runner: createInProcessRunner(), maxSeconds: 0.000_001 })

  expect(report.breaks).toEqual([])
  expect(report.notTried).toHaveLength(48)
  expect(report.survives).toEqual([])
})

it('reports progress with the time that is left', async () => {
  const seen: SweepProgress[] = []

  await sweep({
    runner: createInProcessRunner(),
    skip: skipAllBut('userSortBy'),
    onProgress: (progress) => void seen.push(progress),
  })

  // Three values, then each of the three failures with and without the others.
  expect(seen.map(({ done, total }) => `${done}/${total}`)).toEqual(['0/3', '1/3', '2/3', '0/3', '1/3', '2/3'])
  expect(seen.filter(({ done }) => done === 0).map(({ secondsLeft }) => secondsLeft)).toEqual([undefined, undefined])
  expect(seen.every(({ done, secondsLeft }) => done === 0 || (secondsLeft ?? -1) >= 0)).toBe(true)
})

it.each([
  ['no test is found', [], 'No test was found.'],
  [
    'all tests fail already',
    [{ status: 'failed', message: 'no such file' }],
    'The tests fail before any assumption is changed: t (no such file).',
  ],
  [
    'no test reaches a mock',
    [{ status: 'passed' }],
    'No test reached a mock: use createMockLedger in the tests, or --serve to start a mock for them.',
  ],
] as const)('rejects with one sentence when %s', async (_case, results, message) => {
  const runner = {
    ...createInProcessRunner(),
    run: async () => results.map((result) => ({ id: 't', name: 't', durationMs: 0, ...result })),
  }

  await expect(sweep({ runner })).rejects.toThrow(message)
})

it('takes a test without a result for a failure, because its file could not be loaded', async () => {
  const whole = createInProcessRunner()
  const runner = {
    ...whole,
    run: async (request: Parameters<typeof whole.run>[0]) => {
      const results = await whole.run(request)
      const values = [request.assumptions, ...(request.valuesByTest?.values() ?? [])]
      if (!values.some(({ tieOrder }) => tieOrder === 'ledger')) return results
      return [{ id: 'file', name: 'file', status: 'failed', durationMs: 0, message: 'cannot load' } as const]
    },
  }

  const report = await sweep({ runner, skip: skipAllBut('tieOrder') })

  expect(report.breaks.filter(({ values }) => values.tieOrder === 'ledger')).toMatchObject([
    { test: 'depends on tieOrder=ledger', message: 'cannot load' },
  ])
})

it('runs a test under every value when it did not get through the traced run', async () => {
  const whole = createInProcessRunner()
  const runner = {
    ...whole,
    run: async (request: Parameters<typeof whole.run>[0]) =>
      (await whole.run(request)).map((result) =>
        request.trace && result.id === 'depends on tieOrder=ledger'
          ? { ...result, status: 'hung' as const, touched: [] }
          : result,
      ),
  }

  const report = await sweep({ runner, skip: skipAllBut('tieOrder') })

  expect(found(report)).toEqual(['depends on tieOrder=ledger: tieOrder=ledger'])
})

it('sets a test aside that fails alone under the base values', async () => {
  const whole = createInProcessRunner()
  const runner = {
    ...whole,
    run: async (request: Parameters<typeof whole.run>[0]) =>
      (await whole.run(request)).map((result) =>
        request.tests && result.id === 'depends on pageUnit=group' ? { ...result, status: 'failed' as const } : result,
      ),
  }

  const report = await sweep({ runner, skip: skipAllBut('pageUnit') })

  expect(report.setAside).toContainEqual({ test: 'depends on pageUnit=group', reason: 'needs other tests' })
  expect([...report.breaks, ...report.survives].map(({ test }) => test)).not.toContain('depends on pageUnit=group')
})

it('does not run a test that hung under further values, and says so', async () => {
  const { runner, requests } = recorded((result, request) =>
    result.name === 'is robust 1' && valueOf(request, result.id) !== '' ? { ...result, status: 'hung' } : result,
  )

  const report = await sweep({ runner, skip: skipAllBut('groupOrder', 'rateLimitHeaders') })

  const hangs = report.breaks.filter(({ kind }) => kind === 'hangs')
  expect(hangs.map(({ test }) => test)).toEqual(['is robust 1'])
  expect(report.notTriedAfterHang).toMatchObject([{ test: 'is robust 1', reason: 'hung before' }])
  expect(report.survives.map(({ test }) => test)).not.toContain('is robust 1')
  const runs = requests.filter((request) => request.tests?.has('is robust 1') && valueOf(request, 'is robust 1') !== '')
  expect(runs).toHaveLength(2)
})

it('repeats tests together that a hanging set-up keeps from running, because each run takes a time limit', async () => {
  const suite = ['is robust 1', 'is robust 2', 'is robust 7']
  const { runner, requests } = recorded((result, request) =>
    suite.includes(result.name) && valueOf(request, result.id) !== ''
      ? { ...result, status: 'hung', hungSetUp: 'suite' }
      : result,
  )

  const report = await sweep({ runner, skip: skipAllBut('totalUnit') })

  expect(report.breaks.filter(({ kind }) => kind === 'hangs').map(({ test }) => test)).toEqual(suite)
  const runs = requests.filter((request) => suite.some((id) => request.tests?.has(id) && valueOf(request, id) !== ''))
  expect(runs).toHaveLength(2)
})

it('sets a test aside that needs another one, even if that one breaks too', async () => {
  const { runner } = recorded((result, { tests }) =>
    result.name === 'depends on pageUnit=group' && tests && !tests.has('depends on tieOrder=ledger')
      ? { ...result, status: 'failed' }
      : result,
  )

  const report = await sweep({ runner, skip: skipAllBut('pageUnit', 'tieOrder') })

  expect(report.setAside).toContainEqual({ test: 'depends on pageUnit=group', reason: 'needs other tests' })
  expect(found(report)).toContain('depends on tieOrder=ledger: tieOrder=ledger')
})

/** A runner whose runs always have all tests, as those of a command do. */
const wholeSuite = (change?: (result: TestResult, request: RunRequest) => TestResult) => {
  const { runner, requests } = recorded(change)
  const whole: Runner = {
    ...runner,
    selectsTests: false,
    run: ({ assumptions, trace = false, variants }) =>
      runner.run({ assumptions, trace, ...(variants && { variants }) }),
  }
  return { runner: whole, requests }
}

const namesIn = ({ assumptions }: RunRequest) => formatAssumptions(assumptions).split(',')

it('tries values in fewer runs than there are values where a run always has all tests', async () => {
  const { runner, requests } = wholeSuite()

  const report = await sweep({ runner })

  expect(found(report)).toEqual(singles.toSorted())
  expect(requests.filter(({ variants }) => variants).length).toBeGreaterThan(0)
  expect(report.cost.runs).toBeLessThan(28)
  // No two values are in one run twice: what one of them caused does not occur again when the other is repeated.
  const companies = requests.map((request) => namesIn(request)).filter(({ length }) => length > 1)
  const pairs = companies.flatMap((names) =>
    names.flatMap((one) => names.filter((other) => one < other).map((other) => `${one} ${other}`)),
  )
  expect(pairs.length).toBeGreaterThan(50)
  expect(pairs).toHaveLength(new Set(pairs).size)
})

it('tries each value alone where it is unknown what each test touches, and repeats failures together', async () => {
  const touched = planted.singles.map(({ value }) => value)
  const { runner, requests } = wholeSuite((result, { trace }) => (trace ? { ...result, touched } : result))

  const report = await sweep({ runner, skip: skipAllBut('pageUnit', 'createdAtFormat') })

  expect(found(report)).toEqual([
    'depends on createdAtFormat=offset: createdAtFormat=offset',
    'depends on createdAtFormat=seconds: createdAtFormat=seconds',
    'depends on pageUnit=group: pageUnit=group',
  ])
  // Each value by itself, then the failures, whose tests pass under the other value beside theirs.
  expect(requests.map((request) => formatAssumptions(request.assumptions)).filter(Boolean)).toEqual([
    'pageUnit=group',
    'createdAtFormat=seconds',
    'createdAtFormat=offset',
    'pageUnit=group,createdAtFormat=seconds',
    'createdAtFormat=offset',
  ])
})

it('does not blame a value for what another value in the same run caused', async () => {
  const { runner, requests } = wholeSuite((result, { assumptions }) =>
    // It depends on what another test left behind, which the trace does not show.
    result.name === 'is robust 2' && assumptions.userSortBy === 'total' ? { ...result, status: 'failed' } : result,
  )

  const report = await sweep({ runner, skip: skipAllBut('pageUnit', 'userSortBy') })

  expect(requests.map((request) => formatAssumptions(request.assumptions))).toContain('pageUnit=group,userSortBy=total')
  expect(report.breaks.map(({ test }) => test)).not.toContain('is robust 2')
  expect(found(report)).toContain('depends on pageUnit=group: pageUnit=group')
})

it('sets a test aside that fails under the defaults, too, after it failed under a value', async () => {
  let runs = 0
  const { runner } = wholeSuite((result, { trace }) => {
    if (result.name !== 'is robust 1') return result
    return runs++ < 4 ? result : { ...result, ...(trace && { touched: [] }), status: 'failed' }
  })

  const report = await sweep({ runner, skip: skipAllBut('createdAtFormat') })

  expect(report.setAside).toContainEqual({ test: 'is robust 1', reason: 'flaky' })
  expect([...report.breaks, ...report.survives].map(({ test }) => test)).not.toContain('is robust 1')
})
