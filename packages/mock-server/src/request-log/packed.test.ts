import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { createPacked } from './packed.ts'

it('keeps the last of what it was given, whatever it was', { timeout: 30_000 }, () => {
  const item = fc.record({
    text: fc.string({ unit: 'binary', maxLength: 40 }),
    at: fc.double({ noNaN: true, noDefaultInfinity: true }),
  })

  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), fc.integer({ min: 0, max: 700 }), (items, kept) => {
      const packed = createPacked<object>(kept)
      const given = Array.from({ length: 1500 }, (_, i) => ({ ...items[i % items.length], i }))
      for (const one of given) packed.add(one)

      // As text, which is compared in a moment.
      expect(JSON.stringify(packed.all())).toBe(JSON.stringify(kept === 0 ? [] : given.slice(-kept)))
    }),
    { numRuns: process.env.CI ? 40 : 8 },
  )
})

it.each([0, 1, 255, 256, 257, 1000])('comes back to what it held, %d of it', (count) => {
  const packed = createPacked<number>(600)
  for (let i = 0; i < count; i++) packed.add(i)
  const state = packed.all()
  for (let i = 0; i < 777; i++) packed.add(-i)

  packed.restore(state)

  expect(packed.all()).toEqual(state)
  packed.add(7)
  expect(packed.all()).toEqual([...state, 7].slice(-600))
})

it('takes long and short by turns', () => {
  const packed = createPacked<string>(512)
  const texts = Array.from({ length: 5000 }, (_, i) => (Math.floor(i / 256) % 2 ? 'ä'.repeat(900) : String(i)))
  for (const one of texts) packed.add(one)

  expect(packed.all()).toEqual(texts.slice(-512))
})
