import { expect, it } from 'vitest'
import { createVirtualTime } from '../testing/virtual-time.ts'
import { withTimeout } from './timeout.ts'

it('gives what the work gives, and leaves no timer', async () => {
  const time = createVirtualTime()

  await expect(withTimeout(time.clock, 1000, Promise.resolve('done'))).resolves.toBe('done')
  await time.run(0)

  expect(time.timers).toBe(0)
})

it('ends the wait after the time', async () => {
  const time = createVirtualTime()
  const end = withTimeout(time.clock, 1000, new Promise(() => {})).catch((error: unknown) => [time.now(), error])

  await time.run()

  expect(await end).toEqual([1000, new Error('no answer within 1000 ms')])
})

it('hears a reply that came while the loop stood still for longer than the time', async () => {
  const time = createVirtualTime((due) => (due > 100 && due < 5000 ? 5000 : due))
  const work = new Promise((resolve) => time.at(5000, () => resolve('heard')))
  const end = withTimeout(time.clock, 1000, work)

  await time.run()

  expect(await end).toBe('heard')
})
