import { describe, expect, it } from 'vitest'
import { describeType, describeValue } from './index.ts'

describe('describeValue', () => {
  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [0, '0'],
    [-0, '-0'],
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [10n, 'a bigint'],
    ['', '""'],
    ['a "quoted"\nline', String.raw`"a \"quoted\"\nline"`],
    [[], 'an array of 0'],
    [[1, 2, 3], 'an array of 3'],
    [{}, 'an object with 0 fields'],
    [{ a: 1 }, 'an object with 1 field'],
    [{ a: 1, b: 2 }, 'an object with 2 fields'],
    [new Date('2026-02-01T00:00:00Z'), 'the date 2026-02-01T00:00:00.000Z'],
    [new Date(Number.NaN), 'an invalid Date'],
    [() => 1, 'a function'],
    [Symbol('secret'), 'a symbol'],
  ])('describes %o as %s', (value, described) => {
    expect(describeValue(value)).toBe(described)
  })

  it('cuts a string after 60 characters', () => {
    expect(describeValue('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
    expect(describeValue('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`)
  })
})

describe('describeType', () => {
  it.each<[unknown, string]>([
    ['sk_live_secret', 'a string of 14 characters'],
    ['x', 'a string of 1 character'],
    [42, 'a number'],
    [true, 'a boolean'],
    [undefined, 'undefined'],
    [null, 'null'],
    [['secret', 'secret'], 'an array of 2'],
    [{ apiKey: 'secret' }, 'an object with 1 field'],
    [new Date(0), 'a Date'],
    [new Date(Number.NaN), 'an invalid Date'],
    [() => 'secret', 'a function'],
  ])('describes %o without showing it: %s', (value, described) => {
    expect(describeType(value)).toBe(described)
  })
})
