import { expect, it } from 'vitest'
import { startTrace } from './trace.ts'

it('numbers the calls of a process after a few random letters and digits', () => {
  const [first, second] = [startTrace('/a'), startTrace('/b')]

  expect(first).toEqual({
    callId: expect.stringMatching(/^[0-9a-z]{1,6}-\d+$/),
    method: 'GET',
    endpoint: '/a',
    attempts: 0,
    queuedMs: 0,
  })
  const [processId, number] = first.callId.split('-')
  expect(second.callId).toBe(`${processId}-${Number(number) + 1}`)
})
