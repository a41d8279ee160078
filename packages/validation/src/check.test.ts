import { describe, expect, it } from 'vitest'
import {
  aFunction,
  any,
  array,
  boolean,
  check,
  integer,
  milliseconds,
  nonEmptyString,
  number,
  object,
  oneOf,
  orNull,
  required,
  secret,
  string,
  worded,
  type Check,
} from './index.ts'

describe('checks', () => {
  it.each<[string, Check, unknown[], unknown[]]>([
    ['an integer ≥ 1', integer(1), [1, 2 ** 53 - 1], [0, -1, 1.5, '1', Number.NaN, Infinity, 2 ** 53, null, undefined]],
    ['an integer from 1 to 100', integer(1, 100), [1, 100], [0, 101, 50.5]],
    ['a number ≥ 0', number(0), [0, 0.5, Number.MAX_VALUE], [-0.1, Infinity, Number.NaN, '1']],
    ['a number from 0 to 1', number(0, 1), [0, 1, 0.5], [1.1, -1]],
    [
      'a number of milliseconds from 0 to 2147483647',
      milliseconds(0),
      [0, 0.5, 2_147_483_647],
      [-1, 2 ** 31, Infinity],
    ],
    ['one of strict, warn, off', oneOf('strict', 'warn', 'off'), ['off'], ['loose', undefined]],
    ['any value', any, [undefined, null, 0], []],
    ['true or false', boolean, [true, false], [0, 'true', null]],
    ['a string', string, ['', 'x'], [1, null]],
    ['a string that is not empty', nonEmptyString, ['x'], ['', 1]],
    ['a function', aFunction, [() => 1], [{}, 'x']],
    ['an object', object, [{}], [[], null, new Map()]],
    ['an array', array, [[]], [{}, 'x']],
    ['an even number', check((value) => Number(value) % 2 === 0, 'an even number'), [2], [1]],
    ['an integer ≥ 1, or null', orNull(integer(1)), [null, 1], [0, undefined]],
    ["an array such as ['a']", worded(array, "an array such as ['a']"), [[]], [{}]],
  ])('%s: accepts exactly these values', (expected, one, right, wrong) => {
    expect(one.expected).toBe(expected)
    expect(right.filter((value) => !one.accepts(value))).toEqual([])
    expect(wrong.filter((value) => one.accepts(value))).toEqual([])
  })

  it('marks a value as required or as secret without changing the rest', () => {
    const one = required(secret(string))
    expect(one).toMatchObject({ isRequired: true, isSecret: true, expected: 'a string' })
    expect(one.accepts('')).toBe(true)
    expect(string).not.toHaveProperty('isSecret')
  })
})
