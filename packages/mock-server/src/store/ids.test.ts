import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { noIds } from './ids.ts'

it('has the ids it was given and no others, whatever was added to copies of it', () => {
  const lists = fc.array(fc.array(fc.integer({ min: 0, max: 60 }).map(String), { maxLength: 12 }), { maxLength: 20 })
  fc.assert(
    fc.property(lists, (given) => {
      const taken = new Set<string>()
      let ids = noIds
      const before = given.map((list) => {
        ids = ids.with(new Set(list))
        for (const id of list) taken.add(id)
        return { ids, taken: new Set(taken) }
      })

      for (const each of before) {
        for (let id = 0; id <= 61; id++) expect(each.ids.has(String(id))).toBe(each.taken.has(String(id)))
      }
    }),
    { numRuns: 100 },
  )
})

/** Adds ids one by one; the sets that a search reads each time, and how often an id was put into a set. */
const addSingly = (count: number) => {
  const add = vi.spyOn(Set.prototype, 'add')
  const has = vi.spyOn(Set.prototype, 'has')
  let ids = noIds
  const searched = Array.from({ length: count }, (_none, n) => {
    ids = ids.with(new Set([String(n)]))
    has.mockClear()
    ids.has('none')
    return has.mock.calls.length
  })
  const added = add.mock.calls.length
  vi.restoreAllMocks()
  return { searched, added }
}

// Each set is more than twice as large as the next one, so 2 sets hold at least 1 + 3 ids, 3 sets 1 + 3 + 7, and so on.
it.each([
  [3, 1],
  [10, 2],
  [25, 3],
  [56, 4],
])('searches few sets: with %i ids at most %i', (count, most) => {
  const { searched } = addSingly(count)

  expect(searched.at(-1)).toBeGreaterThan(0)
  expect(Math.max(...searched)).toBeLessThanOrEqual(most)
})

it('copies each id a few times at most', () => {
  // Once when it is added. Each time it is copied, its set grows by half at least: 1.5 ** 11 is more than 64.
  expect(addSingly(64).added).toBeLessThanOrEqual(64 * 11)
})
