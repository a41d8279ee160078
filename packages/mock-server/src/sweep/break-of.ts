import type { Break, TestResult, Values } from './types.ts'
import type { Work } from './work.ts'

/** What a failure under some values, besides the base values, is reported as. */
export const breakOf = (
  { runner, base }: Pick<Work, 'runner' | 'base'>,
  result: TestResult,
  values: Values,
): Break => ({
  test: result.name,
  values,
  kind: result.status === 'hung' ? 'hangs' : 'fails',
  message: result.message,
  location: result.location,
  replay: runner.replay(result, { ...base, ...values }),
})
