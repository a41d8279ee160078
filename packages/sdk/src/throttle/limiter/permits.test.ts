import { createVirtualTime } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createThrottle } from '../index.ts'
import { createPermit } from './permits.ts'

it.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  ['completed', 'a string of 9 characters'],
  [{}, 'an object with 0 fields'],
  [{ kind: 'done' }, 'an object with 1 field'],
  [{ kind: 'completed' }, 'an object with 1 field'],
  [{ kind: 'completed', status: '200' }, 'an object with 2 fields'],
  [{ kind: 'completed', status: 429, retryAfterMs: '1' }, 'an object with 3 fields'],
])('rejects %o as an outcome, and frees the slot with the next one', async (outcome, received) => {
  const throttle = createThrottle({ clock: createVirtualTime().clock })
  const permit = await throttle.acquire()

  expect(() => permit.release(outcome as never)).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      option: 'outcome',
      message: `\`outcome\` must be { kind: 'completed', status }, or { kind } with 'failed', 'aborted' or 'notSent', got ${received}`,
    }),
  )
  permit.release({ kind: 'notSent' })

  expect(throttle.stats).toMatchObject({ held: 0, inFlight: 0 })
})

it('passes each outcome on once, and one that is better known after "aborted"', () => {
  const ended: unknown[] = []
  const permit = createPermit((outcome) => ended.push(outcome.kind) < 0)

  permit.release({ kind: 'aborted' })
  permit.release({ kind: 'aborted' })
  permit.release({ kind: 'completed', status: 200, retryAfterMs: undefined })
  permit.release({ kind: 'failed' })

  expect(ended).toEqual(['aborted', 'completed'])
})
