import type { TestCase, TestModule } from 'vitest/node'
import { expect, it } from 'vitest'
import { resultOf, unendedTests } from './results.ts'

interface Part {
  children: { allTests(): TestCase[]; allSuites(): never[] }
  errors(): never[]
}

const part = (tests: TestCase[]): Part => ({
  children: { allTests: () => tests, allSuites: () => [] },
  errors: () => [],
})

/** A file with a suite of two tests and then two tests outside of it. */
const file = (state: string) => {
  const all: TestCase[] = []
  const ofSuite: TestCase[] = []
  const module = { ...part(all), relativeModuleId: 'a.test.ts', state: () => 'pending' }
  const suite = part(ofSuite)
  for (const [id, parent] of Object.entries({ a: suite, b: suite, c: module, d: module })) {
    const test = { id, fullName: id, parent, module, result: () => ({ state }), meta: () => ({}), diagnostic: () => {} }
    all.push(test as never)
    if (parent === suite) ofSuite.push(test as never)
  }
  return module as unknown as TestModule
}

const unended = (requested: string[], running: string[] = []) =>
  Object.fromEntries(unendedTests(file('pending'), new Set(requested), new Set(running)))

it('takes the tests that were running for those that hang', () => {
  expect(unended(['a', 'b', 'c'], ['b'])).toEqual({ a: 'not-run', b: 'hung', c: 'not-run' })
})

it('takes all tests that a hook keeps from running for those that hang, where none was running', () => {
  expect(unended(['a', 'b', 'c'])).toEqual({ a: 'hung', b: 'hung', c: 'not-run' })
  expect(unended(['c', 'd'])).toEqual({ c: 'hung', d: 'hung' })
})

it('reports a requested test that was skipped as not run', () => {
  const [test] = file('skipped').children.allTests()

  expect(test && resultOf(test, true)).toMatchObject({ id: 'a', status: 'not-run' })
  expect(test && resultOf(test, false)).toMatchObject({ id: 'a', status: 'skipped' })
})
