import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { indexesOf, narrowed } from './run.ts'

const bound = fc.oneof(fc.integer({ min: -1, max: 9 }), fc.constantFrom(-Infinity, Infinity, Number.NaN))

it('narrows a run to the values in a range', () => {
  const lists = fc.array(fc.nat(8), { maxLength: 60 })
  fc.assert(
    fc.property(lists, bound, bound, fc.nat(60), (values, min, max, skipped) => {
      const indexes = Uint32Array.from(values.keys()).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
      const run = { sorted: { name: 'test', indexes }, from: Math.min(skipped, values.length), to: values.length }
      const valueAt = (index: number) => values[index] ?? 0
      const expected = indexesOf(run).filter((index) => valueAt(index) >= min && valueAt(index) <= max)

      expect(indexesOf(narrowed(run, valueAt, min, max))).toEqual(expected)
    }),
  )
})
