import { describe, expect, it } from 'vitest'
import { isAimedAt, isQuery, queryOf, type Aim, type Target } from './aim.ts'

const listAll: Target = {
  endpoint: 'guild',
  query: queryOf(new URLSearchParams('platformId=ann&from=shop&page=2&tag=a&tag=b')),
  keyId: 'key-1',
}
const oneUser: Target = { endpoint: 'user', platformId: 'ann', query: {}, keyId: null }

describe('a request is meant by', () => {
  it.each<[Aim, Target, boolean]>([
    [{}, listAll, true],
    [{ endpoint: 'guild' }, listAll, true],
    [{ endpoint: 'user' }, listAll, false],
    [{ platformId: 'ann' }, listAll, true],
    [{ platformId: 'ann' }, oneUser, true],
    [{ platformId: 'bob' }, listAll, false],
    [{ platformId: 'bob' }, oneUser, false],
    [{ endpoint: 'user', platformId: 'ann' }, listAll, false],
    [{ query: { from: 'shop', page: 2 } }, listAll, true],
    [{ query: { from: 'shop', page: 3 } }, listAll, false],
    [{ query: { tag: 'b' } }, listAll, true],
    [{ query: { constructor: 'Object' } }, listAll, false],
    [{ query: { from: 'shop' } }, oneUser, false],
    [{ keyId: 'key-1' }, listAll, true],
    [{ keyId: 'key-1' }, oneUser, false],
  ])('%j, of %j: %s', (aim, target, expected) => {
    expect(isAimedAt(aim, target)).toBe(expected)
  })
})

it.each([
  [{ from: 'shop', page: 1 }, true],
  [{}, true],
  [null, false],
  [['from'], false],
  [{ from: {} }, false],
  ['from=shop', false],
])('%j is a query: %s', (value, expected) => {
  expect(isQuery(value)).toBe(expected)
})
