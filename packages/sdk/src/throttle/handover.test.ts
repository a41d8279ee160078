import { expect, it } from 'vitest'
import { withdraw } from './handover.ts'
import type { Outcome, Permit } from './throttle.ts'

it('a permit is withdrawn if the call has not taken it after half a second, and cannot be taken any more', () => {
  const outcomes: Outcome[] = []
  const permit: Permit = { release: (outcome) => void outcomes.push(outcome) }
  const handover = new Map([[permit, 1000]])

  withdraw(handover, 1499)
  expect(outcomes).toEqual([])

  withdraw(handover, 1500)
  withdraw(handover, 1500)
  expect(outcomes).toEqual([{ kind: 'notSent' }])
  expect(handover.size).toBe(0)
})
