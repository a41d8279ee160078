import { failureOf } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import type { RequestWithRetries } from './retry.ts'
import { createSharedRequests, type Terms } from './shared-requests.ts'
import type { RequestTrace } from './trace.ts'

const url = 'https://ledger.example/guild'
const label = 'GET /guild'
const terms: Terms = {
  attemptTimeoutMs: 1001,
  priority: 'interactive',
  maxRetries: 2,
  timeLeftMs: () => 500,
}
const traceOf = (): RequestTrace => ({ callId: '1', method: 'GET', endpoint: '/guild', attempts: 0, queuedMs: 0 })

/** Calls that may share requests, which take until they are ended here. */
const setUp = ({ isEnabled = true } = {}) => {
  const responses: ((response: Response | Promise<Response>) => void)[] = []
  const request = vi.fn<RequestWithRetries>(async () => new Promise((resolve) => responses.push(resolve)))
  const share = createSharedRequests(request, isEnabled)
  const join = (given: Partial<Terms> = {}) => {
    const participation = share(url, label, traceOf(), { ...terms, ...given })
    participation.result.catch(() => {})
    return participation
  }
  const callOf = (i: number) => {
    const call = request.mock.calls[i]?.[1]
    if (!call) throw new Error('There is no such request.')
    return call
  }
  return { request, responses, join, callOf }
}

it('shares a request until it is sent', async () => {
  const { request, responses, join, callOf } = setUp()
  const [first, second] = [join(), join()]
  callOf(0).onSend()

  const third = join()
  for (const [i, respond] of responses.entries()) respond(new Response(`page ${i}`))

  const texts = await Promise.all([first, second, third].map(async ({ result }) => (await result).text))
  expect(texts).toEqual(['page 0', 'page 0', 'page 1'])
  expect(request.mock.calls.map(([to, call, retries]) => [to, call.label, retries])).toEqual([
    [url, label, 2],
    [url, label, 2],
  ])
})

it('shares no request that is sent at once', () => {
  const request = vi.fn<RequestWithRetries>((_url, call) => {
    call.trace.attempts++
    call.onSend()
    return new Promise(() => {})
  })
  const share = createSharedRequests(request, true)
  const begin = () => void share(url, label, traceOf(), terms)

  begin()
  begin()

  expect(request).toHaveBeenCalledTimes(2)
})

it('shares no request that failed before it was sent', async () => {
  const { request, responses, join } = setUp()
  const { result } = join()
  responses[0]?.(Promise.reject(new Error('no slot')))
  await failureOf(result)

  join()

  expect(request).toHaveBeenCalledTimes(2)
})

it('gives the request the time of the caller that has the most left', () => {
  const { join, callOf } = setUp()
  join({ timeLeftMs: () => 500 })
  const { leave } = join({ timeLeftMs: () => 900 })
  join({ timeLeftMs: () => 700 })

  expect(callOf(0).timeLeftMs()).toBe(900)
  leave()
  expect(callOf(0).timeLeftMs()).toBe(700)
})

it('shares no request that everybody has left, and shares the next one although that one ends', async () => {
  const { request, responses, join } = setUp()
  join().leave()
  join()
  responses[0]?.(Promise.reject(new Error('aborted')))
  await Promise.resolve()

  join()

  expect(request).toHaveBeenCalledTimes(2)
})

it('has a trace of its own, and begins outside the queue', () => {
  const { join, callOf } = setUp()
  const { trace, isQueued } = join()
  const call = callOf(0)

  expect(call).toMatchObject({ trace: traceOf() })
  expect(trace).toBe(call.trace)
  expect(isQueued()).toBe(false)
  call.isQueued = true
  expect(isQueued()).toBe(true)
})

it.each<[string, Partial<Terms>]>([
  ['time limit of an attempt', { attemptTimeoutMs: 2000 }],
  ['number of retries', { maxRetries: 3 }],
  ['priority', { priority: 'background' }],
  ['time limit and number of retries, whose digits are the same', { attemptTimeoutMs: 100, maxRetries: 12 }],
])('shares nothing with a call of another %s', (_, other) => {
  const { request, join } = setUp()

  join()
  join(other)

  expect(request).toHaveBeenCalledTimes(2)
})
