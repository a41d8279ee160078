import { expect, it } from 'vitest'
import { sweep } from '@guild-ledger/mock-server/sweep'
import { assumptionDefinitions, formatAssumptions, type AssumptionKey } from '../src/assumptions/index.ts'
import { createInProcessRunner } from './sweep-planted/in-process-runner.ts'
import { planted } from './sweep-planted/planted.ts'

const found = (report: Awaited<ReturnType<typeof sweep>>) =>
  report.breaks.map(({ test, values }) => `${test}: ${formatAssumptions(values)}`).toSorted()

/** All assumptions but one, for tests that need no more. */
const skipAllBut = (key: AssumptionKey) =>
  (Object.keys(assumptionDefinitions) as AssumptionKey[]).filter((other) => other !== key)

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
    base: { sourceMatch: 'contains' },
    skip: ['sourceMatch', 'pageUnit'],
  })

  expect(report.setAside).toContainEqual({ test: 'depends on sourceMatch=contains', reason: 'fails' })
  expect(found(report).filter((one) => /: (sourceMatch|pageUnit)=/.test(one))).toEqual([])
  expect(report.skipped).toEqual(['sourceMatch', 'pageUnit'])
})

it('stops when the time is up and lists the values that were not tried', async () => {
  const report = await sweep({ runner: createInProcessRunner(), maxSeconds: 0.000_001 })

  expect(report.breaks).toEqual([])
  expect(report.notTried).toHaveLength(48)
  expect(report.survives).toEqual([])
})

it('reports progress with the time that is left', async () => {
  const seen: (number | undefined)[] = []
  const totals = new Set<number>()

  await sweep({
    runner: createInProcessRunner(),
    skip: skipAllBut('userSortBy'),
    onProgress({ total, secondsLeft }) {
      totals.add(total)
      seen.push(secondsLeft)
    },
  })

  expect([...totals]).toEqual([3])
  expect(seen[0]).toBe(undefined)
  expect(seen.slice(1).every((seconds) => typeof seconds === 'number' && seconds >= 0)).toBe(true)
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
      if (request.assumptions.tieOrder !== 'ledger') return results
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
  expect(report.breaks.map(({ test }) => test)).not.toContain('depends on pageUnit=group')
})
