import { describe, expect, it } from 'vitest'
import { checkFilters, watchSettings } from './options.ts'

const watched = 'https://ledger.example/guild/ledger/transactions'

describe('settings of a watch', () => {
  const dates =
    "'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint"
  it.each<[string, unknown, string]>([
    ['null', null, `\`since\` must be ${dates}, got null`],
    ['a number', 5, `\`since\` must be ${dates}, got 5`],
    [
      'a checkpoint that was not parsed',
      '  {"version":1}',
      `\`since\` must be ${dates}, got "  {\\"version\\":1}": pass a checkpoint as an object, JSON.parse(text)`,
    ],
    ['a string of another kind', 'then {', `\`since\` must be ${dates}, got "then {"`],
  ])('have no start for %s', (_, since, message) => {
    expect(() => watchSettings({ since: since as never }, watched)).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'since', message }),
    )
  })
})

describe('filters of a watch', () => {
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
