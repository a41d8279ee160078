import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConfigurationError } from '../errors/index.ts'
import { logRetry } from './log.ts'
import { toTimeoutError } from './to-error.ts'
import { createResponseWarnings } from './warnings.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  ['a timeout', toTimeoutError('GET /x', 'attempt', 50), 'a timeout'],
  ['another error of this package', new ConfigurationError('middleware', 'is wrong'), 'configuration'],
  ['an error of somebody else', new TypeError('bug'), 'an error'],
])('names %s in the line of a retry', (_, error, summary) => {
  const log = vi.fn()
  logRetry(log, 'GET /x', {}, error, 300.4, 'attempt 2 of 3')

  expect(log.mock.calls[0]?.slice(0, 3)).toEqual([
    'warn',
    'retry',
    `GET /x failed with ${summary}, retrying in 300 ms (attempt 2 of 3)`,
  ])
})

it.each([
  ['{"amount":9007199254740993}', '9007199254740993'],
  ['{"total": 156271.449999999951 }', '156271.449999999951'],
  ['[-0.123456789012345678]', '-0.123456789012345678'],
  [`[${'7'.repeat(50)}]`, '7'.repeat(40)],
])('warns once that %s has a number that loses digits', (text, number) => {
  const log = vi.fn()
  const warn = createResponseWarnings(log)

  warn(new Headers(), text, 'GET /x')
  warn(new Headers(), text, 'GET /x')

  expect(log.mock.calls).toEqual([
    [
      'warn',
      'digits_lost',
      `GET /x: the number ${number} has more digits than a number of JavaScript keeps.`,
      expect.any(Function),
    ],
  ])
})

const integers = ['{"amount":123456789012345}', '{"id":"84219384719284719"}', '{"amount":9007199254740992}']
const short = ['{"a":0.000000000000000012}', '{"a":1.00000}', '{"a":1234567890.12345}', '{"a":10.0000000000000000000}']
const sums = ['{"total":30.000000000000004}', '{"total":0.00000012345678901234566}']
it.each([...integers, ...short, ...sums])('warns of no number in %s', (text) => {
  const log = vi.fn()

  createResponseWarnings(log)(new Headers(), text, 'GET /x')

  expect(log).not.toHaveBeenCalled()
})

it('warns once in a process of a change that the service announces', () => {
  const log = vi.fn()
  const headers = new Headers({ deprecation: '@1767225600', sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' })

  for (let i = 0; i < 2; i++) createResponseWarnings(log)(headers, '{}', 'GET /x')

  expect(log.mock.calls).toEqual([
    [
      'warn',
      'change_announced',
      'The service announces a change (deprecation: @1767225600, sunset: Thu, 31 Dec 2026 23:59:59 GMT): ask its operator.',
    ],
  ])
})
