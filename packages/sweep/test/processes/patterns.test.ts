import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bets, hang } from '../planted/patterns/bets.ts'
import { planted, sweepOf } from '../sweep-process.ts'

const files = ['child', 'concurrent', 'each', 'fixtures', 'guild-per-test', 'mock-per-test', 'msw', 'reset', 'server']
const patterns = ['|plain| before-all', '|again| before-all', ...files, 'shared-one', 'shared-two']

it('finds every bet in every pattern of set-up, and blames no other test', async () => {
  const { report } = await sweepOf(['--vitest', '--', '--root', join(planted, 'patterns')], {
    PLANTED_RUN: randomUUID(),
  })

  const named = (test: string) => report.results.find((one) => one.test === test)
  for (const pattern of patterns) {
    const file = `${pattern}.vitest.ts`
    for (const { name, breaks } of [...bets, hang]) {
      const result = named(`${file} > ${name}`)
      const found = result?.breaks.map(({ values }) => values).toSorted()
      expect({ file, name, found, notJudged: result?.notJudged }).toEqual({ file, name, found: breaks, notJudged: [] })
      const kind = breaks.length > 0 ? 'breaks' : 'passed under other values'
      expect([file, name, result?.result]).toEqual([file, name, kind])
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
