import type { TestCase, TestModule } from 'vitest/node'
import { expect, it } from 'vitest'
import { resultOf, unendedTests } from './results.ts'

interface Part {
  id: string
  children: { allTests(): TestCase[] }
  errors(): { message: string }[]
}

const part = (id: string, tests: TestCase[]): Part => ({
  id,
  children: { allTests: () => tests },
  errors: () => [],
})

/** A file with a suite of two tests and then two tests outside of it. */
const file = (state: string, errorsOfSuite: { message: string }[] = [], note?: string, mode = 'run') => {
  const all: TestCase[] = []
  const ofSuite: TestCase[] = []
  const module = { ...part('module', all), type: 'module', relativeModuleId: 'a.test.ts', state: () => 'pending' }
  const suite = { ...part('suite', ofSuite), type: 'suite', parent: module, errors: () => errorsOfSuite }
  for (const [id, parent] of Object.entries({ a: suite, b: suite, c: module, d: module })) {
    const test = {
      id,
      fullName: id,
      parent,
      module,
      result: () => ({ state, note }),
      meta: () => ({}),
      diagnostic: () => {},
      options: { mode },
    }
    all.push(test as never)
    if (parent === suite) ofSuite.push(test as never)
  }
  return module as unknown as TestModule
}

const unended = (requested: string[], running: string[] = [], module = file('pending'), wasStopped = true) =>
  Object.fromEntries(
    [...unendedTests(module, new Set(requested), new Set(running), wasStopped)].map(([id, { status, hungSetUp }]) => [
      id,
      hungSetUp === undefined ? status : `${status} in the set-up of the ${hungSetUp}`,
    ]),
  )

it('takes the tests that were running for those that hang', () => {
  expect(unended(['a', 'b', 'c'], ['b'])).toEqual({ a: 'not-run', b: 'hung', c: 'not-run' })
})

it('takes tests that the request to stop cancelled for tests without a result, but none that skipped itself', () => {
  const cancelled = file('skipped', [], 'The test run was aborted by the user.')

  expect(unended(['a', 'b'], ['a'], cancelled)).toEqual({ a: 'hung', b: 'not-run' })
  expect(unended(['a', 'b'], ['a'], file('skipped', [], 'not on this platform'))).toEqual({})
})

it('takes the tests that were running for the cause where the process ended by itself', () => {
  expect(unended(['a', 'b', 'c'], ['b'], file('pending'), false)).toEqual({ a: 'not-run', b: 'failed', c: 'not-run' })
  expect(unended(['a', 'b', 'c'], [], file('pending'), false)).toEqual({ a: 'failed', b: 'failed', c: 'not-run' })
})

it('takes all tests that a hook keeps from running for those that hang, where none was running', () => {
  const [ofSuite, ofModule] = ['suite', 'module'].map((one) => `hung in the set-up of the ${one}`)
  expect(unended(['a', 'b', 'c'])).toEqual({ a: ofSuite, b: ofSuite, c: 'not-run' })
  expect(unended(['c', 'd'])).toEqual({ c: ofModule, d: ofModule })
})

it.each([
  ['Hook timed out in 2000ms.', { status: 'hung', hungSetUp: 'suite' }],
  ['expected 1 to be 2', { status: 'failed' }],
])('reports a requested test whose set-up failed with %j', (message, expected) => {
  const [test] = file('pending', [{ message }]).children.allTests()

  const { status, hungSetUp } = (test && resultOf(test, true)) ?? {}

  expect({ status, ...(hungSetUp && { hungSetUp }) }).toEqual(expected)
})

it('reports a test that passed for failed, if afterAll of its suite fails, and no test outside of the suite', () => {
  const [inSuite, , outside] = file('passed', [{ message: 'there are requests left' }]).children.allTests()

  expect(inSuite && resultOf(inSuite, false)).toMatchObject({ status: 'failed', message: 'there are requests left' })
  expect(outside && resultOf(outside, false)).toMatchObject({ status: 'passed' })
})

it('reports a requested test that skipped itself as skipped, although another suite fails', () => {
  const [, , outside] = file('skipped', [{ message: 'another suite' }]).children.allTests()

  expect(outside && resultOf(outside, true)).toMatchObject({ status: 'skipped' })
})

it('reports a requested test that did not run as not run', () => {
  const [notSelected] = file('skipped', [], undefined, 'skip').children.allTests()
  const [cancelled] = file('skipped').children.allTests()

  expect(notSelected && resultOf(notSelected, true)).toMatchObject({ id: 'a', status: 'not-run' })
  expect(notSelected && resultOf(notSelected, false)).toMatchObject({ id: 'a', status: 'skipped' })
  expect(cancelled && resultOf(cancelled, true, { status: 'not-run' })).toMatchObject({ id: 'a', status: 'not-run' })
})

it('takes no test for failed because another one does not compare its snapshot', () => {
  const errors = [{ message: 'Obsolete snapshots found when no snapshot update is expected.\n' }]
  const [test] = file('passed', errors).children.allTests()

  expect(test && resultOf(test, true)).toMatchObject({ status: 'passed' })
})
