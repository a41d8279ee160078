import { validate } from '@guild-ledger/validation'
import { expect, it } from 'vitest'
import { invalidOption } from '../errors/index.ts'
import { callChecks } from './options.ts'

const check = (options: object) => validate(callChecks, options, invalidOption)

it.each([
  { timeoutMs: 1, attemptTimeoutMs: 1, maxRetries: 0, validation: 'strict', priority: 'interactive' },
  { maxRetries: 100, validation: 'warn', priority: 'background', signal: new AbortController().signal },
  { validation: 'off' },
])('accepts the options %o of a call', (options) => {
  expect(check(options)).toEqual(options)
})

it.each([
  ['timeoutMs', 0.5, '`timeoutMs` must be a number of milliseconds from 1 to 2147483647, got 0.5'],
  ['attemptTimeoutMs', 0.5, '`attemptTimeoutMs` must be a number of milliseconds from 1 to 2147483647, got 0.5'],
  ['maxRetries', 101, '`maxRetries` must be an integer from 0 to 100, got 101'],
  ['maxRetries', -1, '`maxRetries` must be an integer from 0 to 100, got -1'],
  ['validation', '', expect.stringContaining('`validation` must be')],
  ['priority', '', expect.stringContaining('`priority` must be')],
  ['signal', {}, '`signal` must be an AbortSignal, got an object with 0 fields'],
  [
    'signal',
    new AbortController(),
    '`signal` must be an AbortSignal, got an object with 0 fields: pass the signal of the AbortController',
  ],
])('rejects the option %s of a call where it is %o', (option, value, message) => {
  expect(() => check({ [option]: value })).toThrow(expect.objectContaining({ option, message }))
})
