import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createChecker } from './index.ts'

it('a checker finds issues one after another, so that a reader can stop', () => {
  let reads = 0
  const wrong = Array.from({ length: 100 }, () => ({
    get id() {
      reads += 1
      return 1
    },
  }))
  for (const issue of createChecker(z.array(z.object({ id: z.string('a string') }))).issues(wrong)) {
    expect(issue.path).toBe('[0].id')
    break
  }
  expect(reads).toBeLessThan(5)
})

it.each([
  ['a format', z.email(), 'x', 'a@b.de'],
  ['a custom schema', z.custom((value) => value === 1), 2, 1],
  ['a literal', z.literal(1), 2, 1],
  ['a length', z.string().check(z.minLength(2)), 'x', 'xx'],
  ['a range', z.number().check(z.gte(1)), 0, 1],
  ['another number format', z.int32(), 2 ** 40, 1],
  ['an unlisted field', z.strictObject({ a: z.string() }), { a: '', b: 1 }, { a: '' }],
  ['an optional field', z.object({ a: z.optional(z.string()) }), { a: 1 }, {}],
  ['a choice', z.union([z.string(), z.null()]), 1, null],
  ['an array with a length', z.array(z.string()).check(z.minLength(1)), [], ['']],
])('a checker applies a schema as it is where it does not know its kind: %s', (_, schema, wrong, right) => {
  expect([createChecker(schema).accepts(wrong), createChecker(schema).accepts(right)]).toEqual([false, true])
})
