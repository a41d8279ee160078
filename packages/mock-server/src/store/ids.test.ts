import * as fc from 'fast-check'
import { expect, it } from 'vitest'
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
