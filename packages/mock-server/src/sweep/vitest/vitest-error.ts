import { firstLine } from '../failure-text.ts'
import { SweepInputError } from '../input-error.ts'

/** What Vitest says about an error. */
interface Failure {
  readonly message?: string
  readonly cause?: unknown
}

/** The first lines of an error and of its cause. */
const reasonOf = ({ message = '', cause }: Failure): string => {
  const reason = (firstLine(message) ?? 'it does not say why').replace(/[.:]$/, '')
  return cause instanceof Object ? `${reason}: ${reasonOf(cause)}` : reason
}

/** What Vitest says where it cannot run the tests, in a sentence. */
export const vitestError = (failure: Failure): SweepInputError =>
  new SweepInputError(`Vitest cannot run the tests: ${reasonOf(failure)}.`, { cause: failure })

/**
 * Runs a step of Vitest.
 *
 * @throws {SweepInputError} The step fails.
 */
export const withVitest = async <Result>(step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step()
  } catch (error) {
    throw vitestError(error instanceof Error ? error : new Error(String(error)))
  }
}
