import { expect, it } from 'vitest'
import { vitestError } from './start.ts'

it('says why Vitest cannot start a worker, whose error is plain data by then', () => {
  const cause = { name: 'Error', message: "Cannot find package 'happy-dom'" }
  const error = new Error('Failed to start forks worker.', { cause })
  const message = "Vitest cannot run the tests: Failed to start forks worker: Cannot find package 'happy-dom'."

  expect(vitestError(error)).toMatchObject({ name: 'SweepError', message })
})
