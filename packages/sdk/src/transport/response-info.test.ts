import { expect, it } from 'vitest'
import { lengthOf, responseOf, withResponse } from './response-info.ts'

const response = { status: 200, headers: new Headers(), attempts: 1, queuedMs: 0, callId: '1' }

it('keeps the response and the length of a body apart from it', () => {
  const body = { success: true }

  expect(withResponse(body, response, 17)).toBe(body)

  expect(responseOf(body)).toBe(response)
  expect(lengthOf(body)).toBe(17)
  expect(body).toHaveProperty('response', response)
  expect(Object.keys(body)).toEqual(['success'])
})

it('keeps a field of a body that is called response', () => {
  const body = { response: 'approved' }

  expect(withResponse(body, response, 23)).toEqual({ response: 'approved' })
  expect(responseOf(body)).toBe(response)
})

it.each([null, undefined, 'text', 7, true])('hands on the body %o, which can have no response', (body) => {
  expect(withResponse(body, response, 4)).toBe(body)
})

it('knows no response and no length of anything else', () => {
  expect(responseOf({})).toBeUndefined()
  expect(lengthOf({})).toBe(0)
})
