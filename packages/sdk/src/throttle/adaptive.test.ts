import { createVirtualTime } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createThrottle, type ThrottleOptions } from './index.ts'
import type { Outcome } from './throttle.ts'

const ok: Outcome = { kind: 'completed', status: 200 }

/**
 * How long the eleventh request waits after ten that are sent at once and end after 100 ms like this. 110 responses with a
 * round trip of 100 ms, in 16 seconds, came before.
 */
const eleventhAfter = async (guarantee: ThrottleOptions['guarantee'], outcome: Outcome): Promise<number> => {
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock, guarantee })
  const sendAt = (at: number, how: Outcome) =>
    time.at(at, () => {
      void throttle.acquire().then((permit) => time.at(time.now() + 100, () => permit.release(how)))
    })
  for (let i = 0; i < 110; i++) sendAt(i * 150, ok)
  for (let i = 0; i < 10; i++) sendAt(30_000, outcome)
  let eleventh = 0
  time.at(30_001, () => void throttle.acquire().then(() => (eleventh = time.now() - 30_000)))
  await time.run()
  return eleventh
}

it.each<[string, Outcome, number]>([
  ['a response', ok, 1002],
  ['a response of 504, whose request may still arrive', { kind: 'completed', status: 504 }, 11_102],
  ['a failed connection', { kind: 'failed' }, 1102],
  ['giving up', { kind: 'aborted' }, 11_102],
])(
  'an adaptive throttle takes credit for the round trip of a response only: after %s',
  async (_, outcome, expected) => {
    expect(await eleventhAfter('adaptive', outcome)).toBe(expected)
  },
)

it('a throttle that guarantees arrival takes no credit for the round trip', async () => {
  expect(await eleventhAfter('arrival', ok)).toBe(1102)
})
