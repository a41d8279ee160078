import { describe, expect, it } from 'vitest'
import { assume, assumptionFrom, assumptionRows, type Assumptions } from './index.ts'

describe('assume', () => {
  it('takes the first reading of every row unless told otherwise', () => {
    expect(assume()).toEqual({
      pageUnit: 'transaction',
      groupOrder: 'first-transaction',
      sourceMatch: 'exact',
      startDateBound: 'inclusive',
      endDateBound: 'inclusive',
      userLimit: 20,
      userSortBy: 'createdAt',
      userSortOrder: 'desc',
      notFoundWhen: 'no-match',
      invalidParameter: 'reject',
      invertedRange: 'empty',
      unlistedParameter: 'ignore',
      repeatedParameter: 'first',
      maxPage: null,
      expiredKeyStatus: 401,
      missingScopeStatus: 401,
      lapsedSubscriptionStatus: 401,
      rateLimitAlgorithm: 'sliding-window',
      rateLimitScope: 'key',
      rateLimitStatus: 429,
      rateLimitHeaders: 'retry-after',
      refusalsCount: false,
      nameOrder: 'code-unit',
      tieOrder: 'transaction-id',
      summaryScope: 'match',
      totalValueOf: 'total',
      emptyTotalPages: 0,
      createdAtFormat: 'milliseconds',
      maxKeysPerGuild: null,
    })
  })

  it('lays overrides over a base, and the base over the first readings', () => {
    const base = assume({ pageUnit: 'group', maxPage: 5 })

    const assumptions = assume({ maxPage: null }, base)

    expect(assumptions).toMatchObject({ pageUnit: 'group', maxPage: null, sourceMatch: 'exact' })
  })

  it('passes over what is undefined', () => {
    expect(assume({ pageUnit: undefined } as unknown as Partial<Assumptions>).pageUnit).toBe('transaction')
  })

  it.each([
    [{ pageunits: 'group' }, 'Unknown assumption "pageunits": did you mean pageUnit?'],
    [{ 'max-page': 1 }, 'Unknown assumption "max-page": did you mean maxPage?'],
    [{ constructor: 1 }, 'Unknown assumption "constructor"'],
    [{ pageUnit: 'user' }, 'Assumption pageUnit must be one of transaction, group, not "user".'],
    [{ expiredKeyStatus: '401' }, 'Assumption expiredKeyStatus must be one of 401, 403, not "401".'],
    [{ maxPage: 0 }, 'Assumption maxPage must be a whole number of at least 1, or null, not 0.'],
    [{ userLimit: 101 }, 'Assumption userLimit must be a whole number from 1 to 100, not 101.'],
    [{ userLimit: null }, 'Assumption userLimit must be a whole number from 1 to 100, not null.'],
    [['group'], 'assumptions must be an object'],
  ])('refuses %o', (overrides, message) => {
    expect(() => assume(overrides as unknown as Partial<Assumptions>)).toThrow(message)
  })
})

describe('assumptionFrom', () => {
  it.each([
    ['pageUnit=group', { pageUnit: 'group' }],
    ['maxPage=7', { maxPage: 7 }],
    ['maxPage=null', { maxPage: null }],
    ['refusalsCount=true', { refusalsCount: true }],
  ])('reads %s', (text, expected) => {
    expect(assumptionFrom(text)).toEqual(expected)
  })

  it.each([
    ['pageUnit', 'An assumption is written KEY=VALUE, such as pageUnit=group, not "pageUnit".'],
    ['pageUnit=', 'Assumption pageUnit must be one of transaction, group, not "".'],
    ['maxPage=007', 'Assumption maxPage must be a whole number of at least 1, or null, not "007".'],
  ])('refuses %s', (text, message) => {
    expect(() => assumptionFrom(text)).toThrow(message)
  })
})

it('gives every row its open question, and every reading its meaning', () => {
  for (const row of Object.values(assumptionRows)) {
    expect(row.question).toMatch(/\.$/)
    const meanings = 'readings' in row ? row.readings.map(([, meaning]) => meaning) : [row.meaning]
    expect(meanings.every((meaning) => meaning.length > 10)).toBe(true)
  }
})
