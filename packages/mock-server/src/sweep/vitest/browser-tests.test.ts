import { expect, it } from 'vitest'
import type { TestCase } from 'vitest/node'
import { createBrowserTests } from './browser-tests.ts'

const test = (id: string, enabled = true) => ({ id, project: { config: { browser: { enabled } } } }) as TestCase

it('knows which tests run in a browser, until the next run', () => {
  const { reporter, running } = createBrowserTests()

  reporter.onTestCaseReady?.(test('a'))
  reporter.onTestCaseReady?.(test('b'))
  reporter.onTestCaseReady?.(test('in Node', false))
  reporter.onTestCaseResult?.(test('a'))
  expect([...running]).toEqual(['b'])

  void reporter.onTestRunStart?.([])
  expect([...running]).toEqual([])
})
