import { describe, expect, it } from 'vitest'
import { formatIssue, formatIssues, type Issue } from './index.ts'

const page: Issue = { path: 'page', expected: 'an integer ≥ 1', received: '0' }
const whole: Issue = { path: '', expected: 'an object', received: 'null' }
const unknown: Issue = {
  path: 'form',
  expected: 'a known parameter',
  received: 'a string of 4 characters',
  message: 'Unknown parameter `form`. Did you mean `from`?',
}

describe('formatIssue', () => {
  it('puts the path in backticks, then what is expected and what was received', () => {
    expect(formatIssue(page)).toBe('`page` must be an integer ≥ 1, got 0')
  })

  it('calls a value without a path by its label', () => {
    expect(formatIssue(whole)).toBe('the value must be an object, got null')
    expect(formatIssue(whole, 'the body')).toBe('the body must be an object, got null')
  })

  it('uses the message of an issue that has one', () => {
    expect(formatIssue(unknown)).toBe('Unknown parameter `form`. Did you mean `from`?')
  })
})

describe('formatIssues', () => {
  it('makes one sentence of each issue', () => {
    expect(formatIssues([page, unknown, whole], 'the query')).toBe(
      '`page` must be an integer ≥ 1, got 0. Unknown parameter `form`. Did you mean `from`? the query must be an object, got null',
    )
  })

  it('is empty where there are no issues', () => {
    expect(formatIssues([])).toBe('')
  })
})
