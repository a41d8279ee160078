import { afterEach, describe, expect, it, vi } from 'vitest'
import { createThrottle } from './index.ts'
import { settingsOf, stricter, type ThrottleSettings } from './options.ts'

afterEach(() => void vi.unstubAllGlobals())

const bad = (options: unknown) => () => createThrottle(options as object)

describe('the options of a throttle', () => {
  it.each([
    ['requestsPerSecond', -1, '`requestsPerSecond` must be a number > 0, such as 10, got -1'],
    ['requestsPerSecond', Number.NaN, '`requestsPerSecond` must be a number > 0, such as 10, got NaN'],
    ['requestsPerSecond', Infinity, '`requestsPerSecond` must be a number > 0, such as 10, got Infinity'],
    ['requestsPerSecond', '10', '`requestsPerSecond` must be a number > 0, such as 10, got a string of 2 characters'],
    ['maxQueue', '5', '`maxQueue` must be a number ≥ 0, got a string of 1 character'],
    ['maxQueue', -1, '`maxQueue` must be a number ≥ 0, got -1'],
    ['marginMs', Number.NaN, '`marginMs` must be a number of milliseconds ≥ 0, got NaN'],
    ['onPaceChange', 'log', '`onPaceChange` must be a function, got a string of 3 characters'],
    ['clock', 0, '`clock` must be { now, setTimeout, clearTimeout }, got 0'],
    [
      'share',
      { of: 11 },
      '`share.of` must be an integer from 1 to 10, got 11: run fewer processes, or share one throttle through Redis',
    ],
  ])('reject an invalid %s: %j', (option, value, message) => {
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
  ])('reject the share %j', (share) => {
    expect(bad({ share })).toThrow(/^`share` must be \{ of, index \}, integers with 1 ≤ of/)
  })

  it.each([[null], [10], ['10']])('reject %j in place of an object', (options) => {
    expect(bad(options)).toThrow('`options` must be an object, got ')
  })

  it.each([undefined, null])('treat %s as missing', (missing) => {
    expect(bad({ requestsPerSecond: missing, clock: missing, share: missing })).not.toThrow()
  })

  it.each([
    ['where there is a document', 'document', 5],
    ['in a worker of a page', 'importScripts', 5],
    ['elsewhere', 'anything else', 2],
  ])('add %s a margin for the clock: a global %s makes it %d ms', (_where, name, marginMs) => {
    vi.stubGlobal(name, {})

    expect(settingsOf()).toMatchObject({ slots: 10, windowMs: 1000, maxQueue: Infinity, marginMs })
    expect(settingsOf({ marginMs: 1 }).marginMs).toBe(1)
  })
})

it('of two settings the stricter of each option counts', () => {
  const settings: ThrottleSettings = { slots: 10, windowMs: 1000, marginMs: 2, maxQueue: 50 }

  expect(stricter(settings, settings)).toEqual(settings)
  expect(stricter(settings, { slots: 3, windowMs: 2000, marginMs: 1, maxQueue: 70 })).toEqual({
    slots: 3,
    windowMs: 2000,
    marginMs: 2,
    maxQueue: 50,
  })
})
