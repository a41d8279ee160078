import { describe, expect, it } from 'vitest'
import { assume, assumptionDefinitions, parseAssumptionList, type Assumptions } from './values.ts'

describe('assume', () => {
  it('returns the first value, or the default, of every assumption', () => {
    expect(assume()).toMatchObject({
      pageUnit: 'transaction',
      userLimit: 20,
      maxPage: null,
      rateLimitStatus: 429,
      rateLimitedRequestsCount: false,
    })
    expect(Object.keys(assume())).toEqual(Object.keys(assumptionDefinitions))
  })

  it('prefers overrides to a base, and the base to defaults', () => {
    const base = assume({ pageUnit: 'group', maxPage: 5 })

    const assumptions = assume({ maxPage: null }, base)

    expect(assumptions).toMatchObject({ pageUnit: 'group', maxPage: null, sourceMatch: 'exact' })
  })

  it('ignores undefined values', () => {
    expect(assume({ pageUnit: undefined } as unknown as Partial<Assumptions>).pageUnit).toBe('transaction')
  })

  it.each([
    [{ pageunits: 'group' }, 'Unknown assumption `pageunits`. Did you mean `pageUnit`?'],
    [{ 'max-page': 1 }, 'Unknown assumption `max-page`. Did you mean `maxPage`?'],
    [{ constructor: 1 }, 'Unknown assumption `constructor`'],
    [{ pageUnit: 'user' }, '`pageUnit` must be one of transaction, group, got "user"'],
    [{ expiredKeyStatus: '401' }, '`expiredKeyStatus` must be one of 401, 403, got "401"'],
    [{ maxPage: 0 }, '`maxPage` must be an integer ≥ 1, or null, got 0'],
    [{ userLimit: 101 }, '`userLimit` must be an integer from 1 to 100, got 101'],
    [['group'], '`assumptions` must be an object'],
  ])('rejects %o', (overrides, message) => {
    expect(() => assume(overrides as unknown as Partial<Assumptions>)).toThrow(message)
  })
})

describe('parseAssumptionList', () => {
  it.each([
    ['pageUnit=group', { pageUnit: 'group' }],
    ['maxPage=7', { maxPage: 7 }],
    ['maxPage=null', { maxPage: null }],
    ['rateLimitedRequestsCount=true', { rateLimitedRequestsCount: true }],
  ])('parses %s', (text, expected) => {
    expect(parseAssumptionList(text)).toEqual(expected)
  })

  it.each([
    ['pageUnit', 'An assumption must be KEY=VALUE, such as pageUnit=group, got "pageUnit"'],
    ['pageUnit=', '`pageUnit` must be one of transaction, group, got ""'],
    ['maxPage=007', '`maxPage` must be an integer ≥ 1, or null, got a string of 3 characters'],
  ])('rejects %s', (text, message) => {
    expect(() => parseAssumptionList(text)).toThrow(message)
  })
})

it('every assumption is described, and each of its values', () => {
  for (const definition of Object.values(assumptionDefinitions)) {
    expect(definition.question).toMatch(/\.$/)
    const meanings = 'values' in definition ? definition.values.map(([, meaning]) => meaning) : [definition.meaning]
    expect(meanings.every((meaning) => meaning.length > 10)).toBe(true)
  }
})
