import { expect, it } from 'vitest'
import { matches, queryOf, type MatchTarget, type RequestMatch } from './request-matcher.ts'

const listAll: MatchTarget = {
  endpoint: 'guild',
  query: queryOf('platformId=ann&from=shop&page=2&tag=a&tag=b'),
  keyId: 'key-1',
}
const oneUser: MatchTarget = { endpoint: 'user', platformId: 'ann', query: {}, keyId: null }

it.each<[RequestMatch, MatchTarget, boolean]>([
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
])('matches %j against %j: %s', (matcher, target, expected) => {
  expect(matches(matcher, target)).toBe(expected)
})

it('queryOf parses a query string, with repeated parameters and odd names', () => {
  expect(Object.entries(queryOf('from=a&page=2&from=b&__proto__=x&empty='))).toEqual([
    ['from', ['a', 'b']],
    ['page', '2'],
    ['__proto__', 'x'],
    ['empty', ''],
  ])
  expect(queryOf('')).toEqual({})
})
