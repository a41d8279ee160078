import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { alternativesTo, assume, formatAssumptions } from '../assumptions/index.ts'
import { sweep } from './sweep.ts'
import type { Runner, TestStatus } from './types.ts'

const alternatives = alternativesTo(assume({})).map(({ key, value }) => formatAssumptions({ [key]: value }))
const defaults = new Map(Object.entries(assume({})))

/** Names of the values that differ from the defaults. */
const changed = (assumptions: object): string[] =>
  Object.entries(assumptions)
    .filter(([key, value]) => defaults.get(key) !== value)
    .map(([key, value]) => formatAssumptions({ [key]: value }))

interface RandomTest {
  /** The values that change responses to it. */
  readonly touches: readonly string[]
  /** It fails under each of these sets of values, unless values hide that. */
  readonly failsUnder: readonly (readonly string[])[]
  readonly passesUnder: readonly string[]
  readonly ending: TestStatus
}

const someValues = fc.subarray(alternatives, { minLength: 2, maxLength: 12 })
const randomTest: fc.Arbitrary<RandomTest> = someValues.chain((touches) =>
  fc.record({
    touches: fc.constant(touches),
    failsUnder: fc.array(fc.subarray(touches, { minLength: 1, maxLength: 2 }), {
      maxLength: 4,
    }),
    passesUnder: fc.subarray(touches, { maxLength: 2 }),
    ending: fc.constantFrom<TestStatus>('failed', 'failed', 'failed', 'hung'),
  }),
)

/** Fails as its own responses say, whatever other tests get. */
const statusOf = ({ touches, failsUnder, passesUnder, ending }: RandomTest, values: readonly string[]): TestStatus => {
  const own = values.filter((value) => touches.includes(value))
  const fails = failsUnder.some((set) => set.length > 0 && set.every((value) => own.includes(value)))
  return fails && !own.some((value) => passesUnder.includes(value)) ? ending : 'passed'
}

const runnerOf = (tests: readonly RandomTest[], hangEndsRun: boolean): Runner => ({
  selectsTests: false,
  async run({ assumptions, variants }) {
    const values = changed(assumptions)
    let isStopped = false
    return tests.map((test, at) => {
      const status = isStopped ? 'not-run' : statusOf(test, values)
      isStopped ||= hangEndsRun && status === 'hung'
      const ownOf = (some: readonly string[]) =>
        some
          .filter((value) => test.touches.includes(value))
          .toSorted()
          .join()
      const touched = variants
        ? variants
            .filter(({ changes }) => ownOf(changed({ ...assumptions, ...changes })) !== ownOf(values))
            .map(({ alternative: { key, value } }) => formatAssumptions({ [key]: value }))
        : test.touches
      return {
        id: `${at}`,
        name: `${at}`,
        status,
        durationMs: 1,
        touched: isStopped && status === 'not-run' ? [] : touched,
      }
    })
  },
  replay: () => '',
  close: async () => {},
})

const scale = process.env.CI ? 1 : 0.1

it('finds exactly the failures that each value causes alone, however values share runs', async () => {
  const suites = fc.array(randomTest, { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(suites, fc.boolean(), async (tests, hangEndsRun) => {
      fc.pre(tests.some(({ touches }) => touches.length > 0))

      const report = await sweep({ runner: runnerOf(tests, hangEndsRun) })

      const untried = new Set(
        report.notTriedAfterHang.flatMap(({ test, values }) => values.map((one) => `${test} ${one}`)),
      )
      const expected = tests.flatMap((test, at) =>
        test.touches
          .filter((value) => statusOf(test, [value]) !== 'passed' && !untried.has(`${at} ${value}`))
          .map((value) => `${at} ${value}`),
      )
      expect(report.breaks.map(({ test, values }) => `${test} ${formatAssumptions(values)}`).toSorted()).toEqual(
        expected.toSorted(),
      )
      expect(report.setAside).toEqual([])
      // A test is not tried only where one before it hangs under the same value.
      for (const one of untried) {
        const [at = '', value = ''] = one.split(' ')
        expect(tests.slice(0, Number(at)).some((test) => statusOf(test, [value]) === 'hung')).toBe(true)
      }
    }),
    { numRuns: Math.ceil(300 * scale) },
  )
})
