import { createVirtualTime } from '@guild-ledger/test-kit'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { createThrottle } from './index.ts'
import { createPermits } from './permits.ts'

afterEach(() => void vi.unstubAllGlobals())

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
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock })
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

it('frees the slot of a permit that is released with nothing but wrong outcomes in the end', async () => {
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock })
  const permit = await throttle.acquire({ attemptTimeoutMs: 1000 })
  let held = -1

  expect(() => permit.release(undefined as never)).toThrow('`outcome` must be')
  time.at(12_002, () => (held = throttle.stats.held))
  await time.run()

  expect(held).toBe(0)
})

it('passes each outcome on once, and one that is better known after "aborted"', () => {
  const ended: unknown[] = []
  const permit = createPermits((outcome) => ended.push(outcome.kind)).issue({})

  permit.release({ kind: 'aborted' })
  permit.release({ kind: 'aborted' })
  permit.release({ kind: 'completed', status: 200, retryAfterMs: undefined })
  permit.release({ kind: 'failed' })

  expect(ended).toEqual(['aborted', 'completed'])
})

it('counts a permit that is dropped without a release as lost, and its request as given up', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const ended: unknown[] = []
  const permits = createPermits((outcome, held) => ended.push([outcome, held]))
  permits.issue({ name: 'released' }).release({ kind: 'failed' })
  permits.issue({ name: 'dropped' })

  const collected = () => {
    collectGarbage()
    expect(permits.lost).toBe(1)
  }
  await vi.waitFor(collected, { timeout: 10_000 })

  expect(ended).toEqual([
    [{ kind: 'failed' }, { name: 'released' }],
    [{ kind: 'aborted' }, { name: 'dropped' }],
  ])
})

it('works in runtimes that do not tell what is collected as garbage', () => {
  vi.stubGlobal('FinalizationRegistry', undefined)
  const ended: unknown[] = []

  createPermits((outcome) => ended.push(outcome))
    .issue({})
    .release({ kind: 'notSent' })

  expect(ended).toEqual([{ kind: 'notSent' }])
})
