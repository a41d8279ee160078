import { expect, it } from 'vitest'
import { createDecisionTree } from './decision-tree.ts'

it('computes a result once for all combinations that agree in what it reads', () => {
  let runs = 0
  const tree = createDecisionTree((read) => {
    runs++
    return read('first') === 'a' ? 'a' : `b ${String(read('second'))}`
  })
  const resultFor = (first: string, second: string): string | undefined => {
    const valueOf = (variable: string) => (variable === 'first' ? first : second)
    let step = tree.first(valueOf)
    while (step.variable !== undefined) step = tree.after(step, valueOf(step.variable), valueOf)
    return step.result?.value
  }

  expect(['x', 'y'].map((second) => resultFor('a', second))).toEqual(['a', 'a'])
  expect(runs).toBe(1)
  expect(['x', 'y', 'x'].map((second) => resultFor('b', second))).toEqual(['b x', 'b y', 'b x'])
  expect(runs).toBe(3)
})
