import { expect, it } from 'vitest'
import { suggestion } from './suggestion.ts'

it.each([
  ['pageUnt', 'did you mean pageUnit?'],
  ['page_unit', 'did you mean pageUnit?'],
  ['zzzzzz', 'there are pageUnit, groupOrder.'],
])('says of %s: %s', (given, expected) => {
  expect(suggestion(given, ['pageUnit', 'groupOrder'])).toBe(expected)
})
