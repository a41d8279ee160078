import { describe, expect, it } from 'vitest'
import { checkFilters, watchSettings } from './options.ts'

it.each([undefined, null, 'now'])('a watch since %s starts now', (since) => {
  expect(watchSettings({ since }, '').start).toBeUndefined()
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
