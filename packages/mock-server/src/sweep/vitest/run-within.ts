import type { TestSpecification, Vitest } from 'vitest/node'
import { SweepInputError } from '../input-error.ts'
import { withVitest } from './vitest-error.ts'

/** Milliseconds that tests get to end after the request to stop; then their workers are killed. */
const graceMs = 1000
/** Milliseconds that Vitest gets to end the run after that. */
const stopMs = 20_000

interface Run {
  readonly specifications: TestSpecification[]
  readonly timeoutMs?: number | undefined
  /** Names of the tests that run in a browser at the moment: Vitest may neither stop them nor run others after them. */
  readonly inBrowser: () => readonly string[]
}

const unstoppable = (what: string): SweepInputError =>
  new SweepInputError(
    `${what} did not end in time under other values, and the sweep cannot stop a test in a browser: leave it out, or give it a shorter time limit.`,
  )

/**
 * Runs tests for a limited time. Returns whether the run had to be stopped.
 *
 * @throws {SweepInputError} The run cannot be started, or cannot be stopped.
 */
export const runWithin = async (
  vitest: Pick<Vitest, 'cancelCurrentRun' | 'runTestSpecifications'>,
  { specifications, timeoutMs, inBrowser }: Run,
): Promise<boolean> => {
  const timers: NodeJS.Timeout[] = []
  let timedOut = false
  const run = withVitest(() => vitest.runTestSpecifications(specifications))
  const stopped = new Promise<never>((_resolve, reject) => {
    const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
    const stop = () => {
      const [test] = inBrowser()
      if (test !== undefined) return reject(unstoppable(test))
      timedOut = true
      cancel()
      const files = specifications.map(({ moduleId }) => moduleId).join(', ')
      // The second request ends a worker that does not respond, such as one in an endless loop.
      timers.push(
        setTimeout(cancel, graceMs),
        setTimeout(() => reject(unstoppable(`A test in ${files}`)), graceMs + stopMs),
      )
    }
    if (timeoutMs !== undefined) timers.push(setTimeout(stop, timeoutMs))
  })
  try {
    await Promise.race([run, stopped])
  } finally {
    timers.forEach(clearTimeout)
  }
  return timedOut
}
