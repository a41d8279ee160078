import { expect, it } from 'vitest'
import { formatIssues, type Issue } from './index.ts'

it('formatIssues makes one sentence of each issue', () => {
  const page: Issue = { path: 'page', expected: 'an integer ≥ 1', received: '0' }
  const unknown = { ...page, message: 'Unknown parameter `form`. Did you mean `from`?' }
  const whole: Issue = { path: '', expected: 'an object', received: 'null' }

  expect(formatIssues([page, unknown, whole], 'the query')).toBe(
    '`page` must be an integer ≥ 1, got 0. Unknown parameter `form`. Did you mean `from`? the query must be an object, got null',
  )
})
