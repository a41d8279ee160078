import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { issuesOf } from './index.ts'

const amount = z.number('a number')
const page = z.object({ data: z.array(z.object({ amount }, 'an object'), 'an array') }, 'an object')
const query = z.strictObject({ from: z.optional(z.string('a string')) }, 'an object')

describe('issuesOf', () => {
  it('finds nothing wrong with a value that the schema accepts', () => {
    expect(issuesOf(page, { data: [{ amount: 1 }], more: 1 })).toEqual([])
  })

  it('reports path, what is expected and what was received', () => {
    expect(issuesOf(page, { data: [{ amount: 1 }, { amount: null }, {}] })).toEqual([
      { path: 'data[1].amount', expected: 'a number', received: 'null' },
      { path: 'data[2].amount', expected: 'a number', received: 'undefined' },
    ])
  })

  it('puts the path of the value in front', () => {
    expect(issuesOf(amount, '1', ['data', 3, 'amount'])).toEqual([
      { path: 'data[3].amount', expected: 'a number', received: '"1"' },
    ])
  })

  it('reports each unknown name of a strict object by its path, without its value', () => {
    expect(issuesOf(query, { form: 's3cret', zzz: 1 }, ['query'])).toEqual([
      {
        path: 'query.form',
        expected: 'a known field',
        received: 'a string of 6 characters',
        message: 'Unknown field `query.form`. Did you mean `query.from`?',
      },
      {
        path: 'query.zzz',
        expected: 'a known field',
        received: 'a number',
        message: 'Unknown field `query.zzz`. Known fields: `query.from`.',
      },
    ])
  })

  it('rejects a value with more mistakes than zod can list', () => {
    expect(issuesOf(page, { data: Array(200_000).fill(1) })).toEqual([
      { path: '', expected: 'a value with fewer mistakes', received: 'an object with 1 field' },
    ])
  })
})
