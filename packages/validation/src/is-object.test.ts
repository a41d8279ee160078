import { expect, it } from 'vitest'
import { isObject } from './index.ts'

it.each([[{}], [Object.create(null)], [Object.create({ inherited: 1 })]])('takes %o for an object', (value) => {
  expect(isObject(value)).toBe(true)
})

it.each([[null], [undefined], ['x'], [1], [[]], [new Map()], [new Date()], [() => 1], [new AbortController()]])(
  'isObject does not take %o for an object with fields',
  (value) => {
    expect(isObject(value)).toBe(false)
  },
)
