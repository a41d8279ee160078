import { expect, it } from 'vitest'
import type { TestResult, TestStatus } from '../types.ts'
import { commandResult, withMissing } from './early-end.ts'

const result = (id: string, status: TestStatus, message?: string): TestResult => ({
  id,
  name: id,
  status,
  durationMs: 0,
  message,
})
const ended = { exitCode: 1, timedOut: false, output: '' }
const expected = [
  result('always fails', 'failed'),
  result('is skipped', 'skipped'),
  result('a', 'passed'),
  result('b', 'passed'),
]
const statuses = (tests: readonly TestResult[]) => tests.map(({ id, status }) => `${id}: ${status}`)
const always = result('always fails', 'failed')

it('takes tests for not run after another one failed and ended the run', () => {
  const tests = [always, result('a', 'failed')]

  expect(statuses(withMissing({ tests, expected }, ended)).slice(2)).toEqual(['b: not-run'])
})

it('takes the first test without a result for the one that ended the process', () => {
  const tests = [always, result('file', 'failed', 'exit code 3')]

  const [, , first, second] = withMissing({ tests, expected }, ended)

  expect(first).toMatchObject({
    id: 'a',
    status: 'failed',
    message: 'exit code 3. This is the first test that has no result.',
    mayBeOther: true,
  })
  expect(second).toMatchObject({ id: 'b', status: 'not-run' })
})

it('takes the first test without a result for the one that ended the process, although a test of another file failed', () => {
  const tests = [always, result('b', 'failed'), result('file', 'failed', 'exit code 3')]

  expect(statuses(withMissing({ tests, expected }, ended)).slice(3)).toEqual(['a: failed'])
})

it('says of a test without a result that its name differs, where the report has a test that is new', () => {
  const tests = [always, result('a with 4', 'passed'), result('b', 'passed')]

  expect(withMissing({ tests, expected }, { ...ended, exitCode: 0 })[3]).toMatchObject({
    id: 'a',
    status: 'failed',
    message:
      'The report has other tests instead: the name of a test must not depend on a response. This is the first test that has no result.',
  })
})

it('blames no test, but the command, when there is no result at all', () => {
  const tests = withMissing({ tests: [], expected }, ended)

  expect(statuses(tests)).toEqual(['always fails: not-run', 'a: not-run', 'b: not-run'])
  expect(commandResult('cmd', ended, { tests, expected })).toMatchObject({ status: 'failed', isCommand: true })
})

it('takes the command for failed when only a file failed, after its tests', () => {
  const tests = [result('a', 'passed'), result('file', 'failed', 'unhandled')]

  expect(commandResult('cmd', ended, { tests, expected: [result('a', 'passed')] })).toMatchObject({
    status: 'failed',
    message: 'unhandled',
  })
})

it('takes the command for failed when a test fails that is skipped under the base values, although another test fails', () => {
  const tests = [always, result('is skipped', 'failed', 'no more'), result('a', 'passed'), result('b', 'failed')]

  expect(commandResult('cmd', ended, { tests, expected })).toMatchObject({
    status: 'failed',
    message: 'is skipped, which is skipped before any value is changed: no more',
  })
})

it('takes the command for failed when a test fails that the report does not name, although another test fails', () => {
  const tests = [always, result('a', 'failed'), result('b', 'passed')]

  expect(commandResult('cmd', ended, { tests, expected, unnamedFailures: 0 })).toMatchObject({ status: 'passed' })
  expect(commandResult('cmd', ended, { tests, expected, unnamedFailures: 1 })).toMatchObject({
    status: 'failed',
    message: 'A test with subtests failed by itself. The report does not name it.',
  })
})

it('says of the first test without a result no more than that, when the command had to be stopped', () => {
  const [, first] = withMissing({ tests: [always], expected }, { ...ended, timedOut: true })

  expect(first).toMatchObject({
    id: 'a',
    status: 'hung',
    message: 'The command did not end in time. This is the first test that has no result.',
  })
})

it.each([
  [false, { status: 'failed', message: 'The run ended before the test did.' }],
  [true, { status: 'hung', message: 'The test did not end.' }],
])(
  'takes the test that was running for the one that ended the run, with a time limit that is up: %j',
  (timedOut, how) => {
    const known = [...expected, result('c', 'passed')]

    const tests = withMissing({ tests: [], expected: known }, { ...ended, timedOut }, new Set(['b']))

    expect(statuses(tests)).toEqual(['always fails: not-run', 'a: not-run', `b: ${how.status}`, 'c: not-run'])
    expect(tests[2]).toMatchObject(how)
    expect(tests[2]?.mayBeOther).toBeUndefined()
  },
)

it.each([
  [false, 'The run ended before the test did. This test got the last response.'],
  [true, 'The command did not end in time. This test got the last response.'],
])(
  'says no more than that of the test that got the last response, with a time limit that is up: %j',
  (timedOut, how) => {
    const tests = withMissing({ tests: [], expected }, { ...ended, timedOut }, new Set(['b']), true)

    expect(tests[2]).toMatchObject({ id: 'b', message: how })
  },
)

it.each([
  ['', null, 'The exit code is 1.'],
  ['killed', 'SIGSEGV', 'The command was ended by SIGSEGV.'],
  ['1 failed\n', null, '1 failed'],
  ['Error: no page\n    at list (/bot.js:1:2)\n\nNode.js v24.21.0\n', null, 'Error: no page'],
  ['AssertionError: 4 == 20\n    at x\n  code: 1\n}\n\nNode.js v24.21.0', null, 'AssertionError: 4 == 20'],
  ['bot.TimeError: no\nmake: *** [test] Error 1', null, 'bot.TimeError: no'],
] as const)('says of a command that fails with the output %j and the signal %j that %s', (output, signal, message) => {
  const { exitCode } = signal === null ? ended : { exitCode: null }

  expect(commandResult('cmd', { ...ended, exitCode, signal, output }, { tests: [], expected: [] })).toMatchObject({
    status: 'failed',
    message,
  })
})

it('blames the test that was running, and only that one, where the process ends with exit code 0', () => {
  const tests = withMissing({ tests: [always], expected }, { ...ended, exitCode: 0 }, new Set(['b']))

  expect(statuses(tests)).toEqual(['always fails: failed', 'a: not-run', 'b: failed'])
  expect(tests[2]?.message).toBe('The run ended before the test did.')
})

it('blames the command where it ends with exit code 0 and without results', () => {
  const success = { ...ended, exitCode: 0, output: 'all is well' }
  const passing = expected.slice(1)
  const tests = withMissing({ tests: [], expected: passing }, success)

  expect(statuses(tests)).toEqual(['a: not-run', 'b: not-run'])
  expect(commandResult('cmd', success, { tests, expected: passing })).toMatchObject({
    status: 'failed',
    message: 'The command ended before its tests did.',
  })
})

it('does not take a test that fails always for what ended the run', () => {
  expect(statuses(withMissing({ tests: [always], expected }, ended)).slice(1)).toEqual(['a: failed', 'b: not-run'])
})

it('takes a test without a result for hanging, although another one failed, when the command had to be stopped', () => {
  const tests = [always, result('a', 'failed')]

  expect(statuses(withMissing({ tests, expected }, { ...ended, timedOut: true })).slice(2)).toEqual(['b: hung'])
})
