import { expect, it } from 'vitest'
import { responseOf, withResponse } from './trace.ts'

const response = { status: 200, headers: new Headers(), attempts: 1, queuedMs: 0, callId: '1' }

it('keeps the response of a body apart from it', () => {
  const body = { success: true }

  expect(withResponse(body, response)).toBe(body)

  expect(responseOf(body)).toBe(response)
  expect(body).toHaveProperty('response', response)
  expect(Object.keys(body)).toEqual(['success'])
})

it('keeps a field of a body that is called response', () => {
  const body = { response: 'approved' }

  expect(withResponse(body, response)).toEqual({ response: 'approved' })
  expect(responseOf(body)).toBe(response)
})

it.each([null, undefined, 'text', 7, true])('hands on the body %o, which can have no response', (body) => {
  expect(withResponse(body, response)).toBe(body)
})

it('knows no response of anything else', () => {
  expect(responseOf({})).toBeUndefined()
})
