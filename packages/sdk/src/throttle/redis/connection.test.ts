import { createVirtualTime } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { withTimeout } from './connection.ts'

it('withTimeout gives what the work gives, and leaves no timer', async () => {
  const time = createVirtualTime()

  await expect(withTimeout(time.clock, 1000, Promise.resolve('done'))).resolves.toBe('done')
  await time.run(0)

  expect(time.timers).toBe(0)
})

it('withTimeout rejects after the time', async () => {
  const time = createVirtualTime()
  const end = withTimeout(time.clock, 1000, new Promise(() => {})).catch((error: unknown) => [time.now(), error])

  await time.run()

  expect(await end).toEqual([1000, new Error('no response within 1000 ms')])
})

it('withTimeout uses a response that came while the event loop stood still for longer than the time', async () => {
  const time = createVirtualTime((due) => (due > 100 && due < 5000 ? 5000 : due))
  const work = new Promise((resolve) => time.at(5000, () => resolve('seen')))
  const end = withTimeout(time.clock, 1000, work)

  await time.run()

  expect(await end).toBe('seen')
})
