import { beforeEach, expect, it, vi } from 'vitest'
import type { TestSpecification } from 'vitest/node'
import { runWithin } from './run-within.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

const specifications = [{ moduleId: '/bot/a.test.ts' } as TestSpecification]

/** A run that ends at the request to stop, or does not end. */
const start = (endsAfterRequests: number, inBrowser: readonly string[] = []) => {
  let end = () => {}
  const ended = new Promise<never>((resolve) => (end = resolve as () => void))
  let requests = 0
  const cancelCurrentRun = async () => {
    if (++requests === endsAfterRequests) end()
  }
  const vitest = { cancelCurrentRun, runTestSpecifications: () => ended }
  const run = runWithin(vitest, { specifications, timeoutMs: 3000, inBrowser: () => inBrowser })
  run.catch(() => {})
  return run
}

it.each([1, 2])('says that a run which ends after %i requests to stop had to be stopped', async (requests) => {
  const run = start(requests)

  await vi.advanceTimersByTimeAsync(4000)

  await expect(run).resolves.toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('names the test at once that runs too long in a browser, where Vitest may be unable to stop it', async () => {
  const run = start(1, ['a.test.ts > loops'])

  await vi.advanceTimersByTimeAsync(3000)

  await expect(run).rejects.toThrow(
    'a.test.ts > loops did not end in time under other values, and the sweep cannot stop a test in a browser: leave it out, or give it a shorter time limit.',
  )
})

it('names the file where Vitest does not end a run', async () => {
  const run = start(3)

  await vi.advanceTimersByTimeAsync(24_000)

  await expect(run).rejects.toThrow('A test in /bot/a.test.ts did not end in time under other values')
})

it('says what Vitest says where it cannot run the tests', async () => {
  const failing = async () => {
    throw new Error('no database.', { cause: new Error('ECONNREFUSED\n  at connect') })
  }
  const vitest = { cancelCurrentRun: async () => {}, runTestSpecifications: failing }

  await expect(runWithin(vitest, { specifications, inBrowser: () => [] })).rejects.toThrow(
    /^Vitest cannot run the tests: no database: ECONNREFUSED\.$/,
  )
})
