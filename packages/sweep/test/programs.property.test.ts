import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { sweep } from '../src/sweep.ts'
import { createProgramRunner, program } from './programs.ts'

// 30 programs each time; `PROGRAMS=2000` tries as many as that.
const numRuns = Math.ceil(Number(process.env.PROGRAMS ?? (process.env.CI ? 150 : 30)) / 30)

it(
  'a sweep finds what running all tests under all values finds, and calls nothing passed that fails',
  { timeout: 600_000 },
  async () => {
    let [found, ran, full] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(program, { minLength: 30, maxLength: 30 }), async (programs) => {
        const { runner, fullMatrix, counts } = createProgramRunner(programs)
        const expected = await fullMatrix()
        full += counts.tests
        counts.tests = 0
        fc.pre(expected.length > 0)

        const { results } = await sweep({ runner, include: ['maxPage', 'maxKeysPerGuild'] })

        ran += counts.tests
        found += expected.length
        const breaks = results.flatMap(({ test, breaks: ofTest }) => ofTest.map(({ values }) => `${test} ${values}`))
        expect(breaks.toSorted()).toEqual(expected)
        const judged = results.flatMap(({ test, passed }) => passed.map((values) => `${test} ${values}`))
        expect(judged.filter((one) => expected.includes(one))).toEqual([])
        expect(results.flatMap(({ notJudged }) => notJudged).filter(({ reason }) => reason !== 'fails')).toEqual([])
      }),
      { numRuns },
    )
    process.stdout.write(`${numRuns * 30} programs, ${found} dependencies, ${ran} of ${full} test runs\n`)
    expect(ran).toBeLessThan(full)
  },
)
