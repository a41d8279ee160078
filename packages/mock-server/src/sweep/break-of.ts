import type { Break, Runner, TestResult, Values } from './types.ts'

/** What a failure under some values is reported as. */
export const breakOf = (runner: Runner, result: TestResult, values: Values): Break => ({
  test: result.name,
  values,
  kind: result.status === 'hung' ? 'hangs' : 'fails',
  message: result.message,
  location: result.location,
  replay: runner.replay(result, values),
})
