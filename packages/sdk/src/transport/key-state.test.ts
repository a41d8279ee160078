import { expect, it } from 'vitest'
import { afterCall, afterKey, afterRejection, mayRenew, noKey } from './key-state.ts'

it('keeps each key once among the last 8, the last one last, and counts the changes', () => {
  const keys = ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'i']
  const state = keys.reduce((before, key, run) => afterKey(before, run, key), noKey)

  expect(state.seen).toEqual(['b', 'a', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].slice(1))
  expect(state).toMatchObject({ current: 'i', version: 9 })
})

it('ignores a key of an earlier call of the function than the last that returned', () => {
  const calls = afterCall(afterCall(noKey))
  const state = afterKey(calls, 2, 'new')

  expect(afterKey(state, 1, 'old')).toBe(state)
})

it('may call the function after a 401 at most once in 10 s', () => {
  expect(mayRenew(noKey, 0)).toBe(true)
  expect(mayRenew(afterRejection(noKey, 5000), 14_999)).toBe(false)
  expect(mayRenew(afterRejection(noKey, 5000), 15_000)).toBe(true)
})
