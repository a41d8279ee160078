import { expect, it } from 'vitest'
import { vitestError } from './start.ts'

it('says why Vitest cannot start a worker, whose error is plain data by then', () => {
  const cause = { name: 'Error', message: "Cannot find package 'happy-dom' imported from vitest" }

  expect(vitestError(new Error('Failed to start forks worker.', { cause }))).toMatchObject({
    name: 'SweepError',
    message:
      "Vitest cannot run the tests: Failed to start forks worker: Cannot find package 'happy-dom' imported from vitest.",
  })
})
