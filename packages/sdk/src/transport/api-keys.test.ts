import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { failureOf } from '@guild-ledger/test-kit'
import type { AuthenticationError } from '../errors/index.ts'
import { createApiKeys, type ApiKeyFunction } from './api-keys.ts'
import type { KeyCall } from './fixed-key.ts'
import { toApiError } from './to-error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => {})
const callOf = (signal?: AbortSignal): KeyCall => ({ label: 'GET /x', signal, attemptTimeoutMs: 500 })
const error401 = (message: string) => {
  const text = JSON.stringify({ success: false, message })
  return toApiError({ status: 401, headers: new Headers(), text, retryAfterMs: undefined }, 'GET /x', 1)
}
const rejection = error401('Unauthorized - invalid API key') as AuthenticationError
const otherRejection = error401('Missing scope') as AuthenticationError

const keysOf = (given: ApiKeyFunction) => {
  const log = vi.fn()
  const keys = createApiKeys(given, log)
  if (keys.isFixed) throw new Error('These keys are those of a function.')
  return { keys, log }
}

/** Keys of a function that returns these, one after the other, the last one again and again. */
const returning = (...values: readonly string[]) => {
  const apiKey = vi.fn(() => values[apiKey.mock.calls.length - 1] ?? values.at(-1) ?? '')
  return { ...keysOf(apiKey), apiKey }
}

it('has seen no key before the function was called', () => {
  expect(returning('a').keys).toMatchObject({ current: undefined, seen: [], version: 0 })
})

it('keeps each key once among those it has seen, the last one last', async () => {
  const { keys } = returning('a', 'b', 'a')

  await keys.ready(callOf())
  await keys.renew(rejection, 0, callOf())
  expect(keys.seen).toEqual(['a', 'b'])
  await keys.renew(rejection, 1, callOf())

  expect(keys.seen).toEqual(['b', 'a'])
  expect(keys).toMatchObject({ current: 'a', version: 2 })
})

it('keeps the last 8 keys that it has seen', async () => {
  const { keys } = returning(...Array.from({ length: 10 }, (_, i) => `key-${i}`))
  await keys.ready(callOf())
  for (let version = 0; version < 9; version++) await keys.renew(rejection, version, callOf())

  expect(keys.seen).toEqual(['key-2', 'key-3', 'key-4', 'key-5', 'key-6', 'key-7', 'key-8', 'key-9'])
})

it('leaves no timer behind once the function has returned', async () => {
  await returning('a').keys.ready(callOf())

  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['joins a run of the function that others wait for', 499, 1],
  ['calls the function again where its run has taken the time limit of an attempt', 500, 2],
])('a call after one that was aborted %s', async (_, abortedAfterMs, calls) => {
  const apiKey = vi.fn(never)
  const { keys } = keysOf(apiKey)
  const stops = [new AbortController(), new AbortController()]
  void failureOf(keys.ready(callOf(stops[0]?.signal)) ?? never())
  await vi.advanceTimersByTimeAsync(100)
  void failureOf(keys.ready(callOf(stops[1]?.signal)) ?? never())
  stops[0]?.abort()
  await vi.advanceTimersByTimeAsync(100)
  void failureOf(keys.ready(callOf()) ?? never())
  await vi.advanceTimersByTimeAsync(abortedAfterMs - 200)
  stops[1]?.abort()
  await vi.advanceTimersByTimeAsync(0)

  void failureOf(keys.ready(callOf()) ?? never())

  expect(apiKey).toHaveBeenCalledTimes(calls)
})

it('a call that waited in vain for an old run leaves the new run to others', async () => {
  const apiKey = vi.fn(never)
  const { keys } = keysOf(apiKey)
  const begin = () => void failureOf(keys.ready(callOf()) ?? never())
  begin()
  await vi.advanceTimersByTimeAsync(100)
  begin()
  await vi.advanceTimersByTimeAsync(410)
  begin()
  await vi.advanceTimersByTimeAsync(100)

  begin()

  expect(apiKey).toHaveBeenCalledTimes(2)
})

it('a 401 to a key that was replaced since says nothing about the new one', async () => {
  const { keys, apiKey } = returning('a', 'b')
  await keys.ready(callOf())
  await keys.renew(rejection, 0, callOf())

  keys.rejected(rejection, 0)

  expect(keys.ready(callOf())).toBeUndefined()
  expect(await keys.renew(rejection, 0, callOf())).toBe(true)
  expect(apiKey).toHaveBeenCalledTimes(2)
})

it('does not call the function again after a 401 to two keys in a row', async () => {
  const { keys, apiKey } = returning('a', 'b', 'c')
  await keys.ready(callOf())
  keys.rejected(rejection, 0)
  await keys.renew(rejection, 0, callOf())
  keys.rejected(rejection, 1)

  expect(await keys.renew(rejection, 1, callOf())).toBe(false)
  expect(apiKey).toHaveBeenCalledTimes(2)
})

it('logs that calls fail at once, and not again when the key is tried in vain', async () => {
  const { keys, log } = returning('a')
  await keys.ready(callOf())
  keys.rejected(rejection, 0)
  await keys.renew(rejection, 0, callOf())
  await vi.advanceTimersByTimeAsync(10_000)
  const trial = callOf()
  await keys.ready(trial)

  keys.rejected(rejection, 0)
  await keys.renew(rejection, 0, trial)

  expect(log.mock.calls).toEqual([
    [
      'warn',
      'The service responded with 401 to the key, and the function of `apiKey` still returns it: for 10 s further calls fail at once.',
    ],
  ])
})

it('calls fail for 10 seconds from a trial on, whatever other 401 it gets', async () => {
  const { keys } = returning('a')
  await keys.ready(callOf())
  keys.rejected(rejection, 0)
  await keys.renew(rejection, 0, callOf())
  await vi.advanceTimersByTimeAsync(10_000)
  const trial = callOf()
  await keys.ready(trial)
  await vi.advanceTimersByTimeAsync(5000)

  keys.rejected(otherRejection, 0)
  expect(await keys.renew(otherRejection, 0, trial)).toBe(false)

  await vi.advanceTimersByTimeAsync(4999)
  await expect(keys.ready(callOf())).rejects.toThrow('20 s ago')
  await vi.advanceTimersByTimeAsync(1)
  await expect(keys.ready(callOf())).resolves.toBeUndefined()
})

it('a success of a request sent before the 401 leaves the key rejected until the function was called', async () => {
  const { keys, apiKey } = returning('a', 'b')
  const early = callOf()
  await keys.ready(early)
  keys.rejected(rejection, 0)

  keys.accepted(0, early)

  await keys.ready(callOf())
  expect(apiKey).toHaveBeenCalledTimes(2)
  expect(keys.current).toBe('b')
})
