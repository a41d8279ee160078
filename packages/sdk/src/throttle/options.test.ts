import { describe, expect, it } from 'vitest'
import { createThrottle } from './index.ts'

const bad = (options: unknown) => () => createThrottle(options as object)

describe('options of a throttle', () => {
  it.each([
    ['requestsPerSecond', 0, 'requestsPerSecond must be a number above 0, such as 10; got 0'],
    ['requestsPerSecond', -1, 'requestsPerSecond must be a number above 0, such as 10; got -1'],
    ['requestsPerSecond', Number.NaN, 'requestsPerSecond must be a number above 0, such as 10; got NaN'],
    ['requestsPerSecond', Infinity, 'requestsPerSecond must be a number above 0, such as 10; got Infinity'],
    ['requestsPerSecond', '10', 'requestsPerSecond must be a number above 0, such as 10; got "10"'],
    ['requestsPerSecond', null, 'requestsPerSecond must be a number above 0, such as 10; got null'],
    ['guarantee', 'fast', 'guarantee must be one of arrival, adaptive; got "fast"'],
    ['maxQueue', -1, 'maxQueue must be a number of at least 0; got -1'],
    ['marginMs', Number.NaN, 'marginMs must be a number of milliseconds of at least 0; got NaN'],
    ['onStepDown', 'log', 'onStepDown must be a function; got "log"'],
    ['clock', 0, 'clock must be { now, setTimeout, clearTimeout }; got 0'],
    [
      'share',
      { of: 11 },
      'share.of must be at most 10, the requests in a second; got 11: run fewer processes, or share one throttle through Redis',
    ],
  ])('refuse %s %j', (option, value, message) => {
    expect(bad({ [option]: value })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', code: 'configuration', option, message }),
    )
  })

  it.each([
    [4],
    [{}],
    [{ of: 0 }],
    [{ of: 2.5 }],
    [{ of: 4, index: 4 }],
    [{ of: 4, index: -1 }],
    [{ of: 4, index: '0' }],
  ])('refuse share %j', (share) => {
    expect(bad({ share })).toThrow(/^share must be \{ of \} with a whole number of processes/)
  })

  it('refuse a misspelt name and tell the nearest', () => {
    expect(bad({ requestPerSecond: 10 })).toThrow(
      'requestPerSecond must be left out, as no such name is known (did you mean requestsPerSecond?); got a value',
    )
  })

  it.each([[null], [10], ['10']])('refuse %j in place of an object', (options) => {
    expect(bad(options)).toThrow('options must be an object; got ')
  })

  it('take undefined for not given', () => {
    expect(bad({ requestsPerSecond: undefined, guarantee: undefined, clock: undefined })).not.toThrow()
  })
})
