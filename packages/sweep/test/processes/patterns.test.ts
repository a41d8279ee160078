import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bets, hang } from '../planted/patterns/bets.ts'
import { allBut, isAll, knownFlags, planted, sweepOf } from '../sweep-process.ts'

const root = join(planted, 'patterns')
// The tests of the examples, which are swept too, share a process like `shared-one` and `shared-two`.
const others = 'child concurrent each fixtures guild-per-test mock-per-test reset server shared-one shared-two'
const patterns = ['|plain| before-all', '|again| before-all', 'msw', ...(isAll ? others.split(' ') : [])]

// `runners.test.ts` finds a bet on each value.
const swept = ['pageUnit', 'totalValueOf']
const isSwept = (key: string) => isAll || swept.includes(key)
const flags = knownFlags(isAll ? [] : allBut(swept))

it('finds every bet in every pattern of set-up, and blames no other test', async () => {
  const files = isAll ? [] : ['before-all', 'snapshots', 'msw'].map((name) => `${name}.vitest.ts`)
  const args = ['--vitest', ...flags, '--', '--root', root, ...files]
  const { report } = await sweepOf(args, { PLANTED_RUN: randomUUID() })

  const named = (test: string) => report.results.find((one) => one.test === test)
  for (const pattern of patterns) {
    const file = `${pattern}.vitest.ts`
    for (const { name, breaks: all } of [...bets, hang]) {
      const breaks = all.filter((values) => isSwept(values.split('=')[0] ?? ''))
      const result = named(`${file} > ${name}`)
      const found = result?.breaks.map(({ values }) => values).toSorted()
      expect({ file, name, found, notJudged: result?.notJudged }).toEqual({ file, name, found: breaks, notJudged: [] })
      // A bet on an error depends on no value that is swept here.
      const unbroken = result?.passed.length === 0 && !isAll ? 'untouched' : 'passed under other values'
      expect([file, name, result?.result]).toEqual([file, name, breaks.length > 0 ? 'breaks' : unbroken])
    }
    const kinds = ['is flaky', 'is pinned', 'is unreached'].map((name) => named(`${file} > ${name}`)?.result)
    expect([file, ...kinds]).toEqual([file, 'not judged', 'passed under other values', 'unreached'])
    expect(named(`${file} > is pinned`)?.pinned).toEqual(['pageUnit'])
    expect(named(`${file} > ${hang.name}`)?.breaks).toMatchObject([{ kind: 'hangs' }])
  }
  const snapshots = report.results.filter(({ test }) => test.startsWith('snapshots'))
  expect(snapshots.map(({ breaks }) => breaks.map(({ values }) => values))).toEqual([
    ['totalValueOf=amount'],
    [],
    ['totalValueOf=amount'],
  ])
  expect(report.tests).toBe(patterns.length * (bets.length + 4) + snapshots.length)
})

it('judges nothing that a server outside of the workers responds to, and names the server', async () => {
  const { report } = await sweepOf(['--vitest', ...flags, '--', '--root', join(planted, 'outside')])

  const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string
  const doubt = { reason: 'server without a trace', detail: address }
  expect(report.results.map(({ result, notJudged, passed }) => [result, notJudged, passed.length > 0])).toEqual([
    ['not judged', [doubt], false],
    ['passed under other values', [], true],
    ['not judged', [doubt], false],
  ])
})
