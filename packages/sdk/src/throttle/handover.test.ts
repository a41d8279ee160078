import { describe, expect, it } from 'vitest'
import { createHandover } from './handover.ts'
import type { Outcome } from './throttle.ts'

/** A permit that records how it was released. */
const recordedPermit = () => {
  const outcomes: Outcome[] = []
  return { outcomes, permit: { release: (outcome: Outcome) => void outcomes.push(outcome) } }
}

describe('a permit on the way to a call', () => {
  it('is withdrawn if the call has not taken it after half a second, and cannot be taken any more', () => {
    let now = 1000
    const handover = createHandover({ now: () => now })
    const { permit, outcomes } = recordedPermit()
    handover.give(permit)

    now = 1499
    handover.withdraw()
    expect(outcomes).toEqual([])

    now = 1500
    handover.withdraw()
    handover.withdraw()
    expect(outcomes).toEqual([{ kind: 'notSent' }])
    expect(handover.take(permit)).toBe(false)
  })

  it('is never withdrawn once the call has taken it', () => {
    let now = 0
    const handover = createHandover({ now: () => now })
    const { permit, outcomes } = recordedPermit()
    handover.give(permit)

    expect(handover.take(permit)).toBe(true)
    now = 60_000
    handover.withdraw()
    expect(outcomes).toEqual([])
  })
})
