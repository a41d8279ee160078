import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RedactedResponse } from './auth.ts'
import { createLingeringRequests } from './lingering.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const responseWith = (headers: Record<string, string>, text = vi.fn(async () => 'a page')): RedactedResponse => ({
  status: 200,
  headers: new Headers(headers),
  text,
})

/** A request that was given up, left alone for 3 seconds. */
const giveUp = (lingering = createLingeringRequests()) => {
  let resolve = (_response: RedactedResponse): void => {}
  let reject = (_reason: unknown): void => {}
  const response = new Promise<RedactedResponse>((onResponse, onFailure) => {
    resolve = onResponse
    reject = onFailure
  })
  const network = new AbortController()
  const onEnd = vi.fn()
  lingering.add({ response, network, onEnd }, 3000)
  return { lingering, resolve, reject, onEnd, network }
}

it('reports the response of a request that was given up, and reads a small body away', async () => {
  const { resolve, onEnd, network } = giveUp()
  const response = responseWith({ 'content-length': '65536' })

  resolve(response)
  await vi.advanceTimersByTimeAsync(0)

  expect(onEnd.mock.calls).toEqual([[response]])
  expect(response.text).toHaveBeenCalledOnce()
  expect(network.signal.aborted).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['large', { 'content-length': '65537' }],
  ['of unknown length', {}],
])('ends a request whose body is %s instead of reading it', async (_, headers) => {
  const { resolve, onEnd, network } = giveUp()
  const response = responseWith(headers)

  resolve(response)
  await vi.advanceTimersByTimeAsync(0)

  expect(onEnd.mock.calls).toEqual([[response]])
  expect(response.text).not.toHaveBeenCalled()
  expect(network.signal.aborted).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('reports the failure of a request that was given up', async () => {
  const { reject, onEnd } = giveUp()

  reject(new Error('socket hang up'))
  await vi.advanceTimersByTimeAsync(0)

  expect(onEnd.mock.calls).toEqual([[undefined]])
  expect(vi.getTimerCount()).toBe(0)
})

it('ends a request after its time, and does not report the failure that follows: it may still arrive', async () => {
  const { reject, onEnd, network } = giveUp()

  await vi.advanceTimersByTimeAsync(2999)
  expect(network.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(network.signal.aborted).toBe(true)
  reject(network.signal.reason)
  await vi.advanceTimersByTimeAsync(0)

  expect(onEnd).not.toHaveBeenCalled()
})

it('ends a request whose small body does not end, after its time, and survives the failure of the body', async () => {
  const { resolve, network } = giveUp()
  const text = vi.fn(
    () =>
      new Promise<string>((_, reject) => network.signal.addEventListener('abort', () => reject(new Error('ended')))),
  )
  resolve(responseWith({ 'content-length': '10' }, text))

  await vi.advanceTimersByTimeAsync(2999)
  expect(network.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)

  expect(network.signal.aborted).toBe(true)
})

it('ends all requests at once that are still on the network', async () => {
  const lingering = createLingeringRequests()
  const [over, first, second] = [giveUp(lingering), giveUp(lingering), giveUp(lingering)]
  over.resolve(responseWith({ 'content-length': '10' }))
  await vi.advanceTimersByTimeAsync(0)

  lingering.end()

  expect([over, first, second].map(({ network }) => network.signal.aborted)).toEqual([false, true, true])
})

it('keeps no process alive', () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')

  giveUp()

  expect(setTimer.mock.results[0]?.value).toSatisfy((timer: NodeJS.Timeout) => !timer.hasRef())
})
