import { describe, expect, it } from 'vitest'
import { checkFilters, watchSettings, type WatchOptions } from './options.ts'

const watched = 'https://ledger.example/guild/ledger/transactions'
const checkpoint = { version: 1, watched, seen: ['3:ann:a'] } as const

describe('settings of a watch', () => {
  it('have the documented defaults', () => {
    const expected = {
      start: undefined,
      intervalMs: 5000,
      overlapMs: 60_000,
      onError: undefined,
      follow: true,
      call: {},
    }

    expect(watchSettings({}, watched)).toEqual(expected)
  })

  it('tell the options of the watch from those of its calls', () => {
    const onError = () => {}
    const options = { since: 'now', intervalMs: 1, overlapMs: 0, onError, follow: false, timeoutMs: 7 } as const

    expect(watchSettings(options, watched)).toEqual({
      start: undefined,
      intervalMs: 1,
      overlapMs: 0,
      onError,
      follow: false,
      call: { timeoutMs: 7 },
    })
  })

  it.each<[string, WatchOptions['since'], object]>([
    ['a Date', new Date(5), { from: 5, seen: [] }],
    ['a string', '1970-01-01T01:00:00.005+01:00', { from: 5, seen: [] }],
    ['a checkpoint of the beginning', { ...checkpoint, from: null }, { from: null, seen: ['3:ann:a'] }],
    ['a checkpoint of later', { ...checkpoint, from: '1970-01-01T00:00:00.005Z' }, { from: 5, seen: ['3:ann:a'] }],
  ])('start where %s says', (_, since, start) => {
    expect(watchSettings({ since }, watched).start).toEqual(start)
  })

  const dates =
    "'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint"
  it.each<[string, unknown, string]>([
    ['null', null, `\`since\` must be ${dates}, got null`],
    ['a number', 5, `\`since\` must be ${dates}, got 5`],
    [
      'a checkpoint that was not parsed',
      ' {"version":1}',
      `\`since\` must be ${dates}, got " {\\"version\\":1}": pass a checkpoint as an object, JSON.parse(text)`,
    ],
    ['a string of another kind', 'then {', `\`since\` must be ${dates}, got "then {"`],
  ])('have no start for %s', (_, since, message) => {
    expect(() => watchSettings({ since: since as never }, watched)).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'since', message }),
    )
  })
})

describe('filters of a watch', () => {
  it('may be any but those that it sets itself', () => {
    expect(() => checkFilters({ from: 'shop', platformId: 'ann', page: undefined })).not.toThrow()
  })

  it('are rejected with each one that it sets itself', () => {
    const query = { page: 2, limit: 10, sortBy: 'amount', sortOrder: 'asc', startDate: 'x', endDate: 'y', from: 'shop' }
    const itself = 'left out, as a watch sets it itself'

    expect(() => checkFilters(query)).toThrow(
      expect.objectContaining({
        issues: [
          { path: 'page', expected: itself, received: '2' },
          { path: 'limit', expected: itself, received: '10' },
          { path: 'sortBy', expected: itself, received: '"amount"' },
          { path: 'sortOrder', expected: itself, received: '"asc"' },
          {
            path: 'startDate',
            expected: 'left out, as a watch begins with the option `since` in the second argument',
            received: '"x"',
          },
          { path: 'endDate', expected: itself, received: '"y"' },
        ],
      }),
    )
  })
})
