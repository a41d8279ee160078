import { expect, it } from 'vitest'
import { createLeases } from './leases.ts'

it('a lease is held while its request is in flight, and for a gap after it can have arrived', () => {
  const leases = createLeases(() => 1002)
  leases.take('a')
  leases.take('b')
  leases.take('c')

  leases.end('a', 100)
  leases.end('b', 5000)
  leases.end('c', undefined)

  expect([100, 1101, 1102, 6001, 6002].map((now) => leases.held(now))).toEqual([2, 2, 1, 1, 0])
})

it('the time is known at which fewer leases than a number are held', () => {
  const leases = createLeases(() => 1000)
  for (const lease of ['a', 'b', 'c']) leases.take(lease)
  leases.end('a', 500)
  leases.end('b', 200)

  expect([4, 3, 2, 1].map((slots) => leases.fewerAt(slots, 600))).toEqual([-Infinity, 1200, 1500, Infinity])
})

it('all leases are listed with the time for which their requests may arrive', () => {
  const leases = createLeases(() => 1000)
  leases.take('in flight')
  leases.take('completed')
  leases.take('given up')
  leases.end('completed', 300)
  leases.end('given up', 4000)

  expect(leases.all(1000, 11_000)).toEqual([
    ['in flight', 11_000],
    ['completed', -700],
    ['given up', 3000],
  ])
  expect(leases.inFlight).toBe(1)
})
