import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const slotsOf = (slots: number, spacingMs = 0) => createSlots(() => ({ slots, spacingMs, gapMs: 0 }))

it('opens at once as long as a slot is free', () => {
  const slots = slotsOf(2)
  expect(slots.opensAt(100)).toBe(-Infinity)

  slots.take(100, 900)
  expect(slots.opensAt(100)).toBeLessThanOrEqual(100)
  slots.take(100, 800)

  expect(slots.opensAt(100)).toBe(800)
})

it('opens when the slot that comes free first does, in whatever order the slots were taken', () => {
  for (const ends of [
    [700, 800, 900],
    [900, 800, 700],
    [800, 900, 700],
  ]) {
    const slots = slotsOf(3)
    for (const freeAt of ends) slots.take(100, freeAt)

    expect([slots.opensAt(100), slots.opensAt(700), slots.opensAt(700, 1), slots.opensAt(700, 2)]).toEqual([
      700, 100, 800, 900,
    ])
  }
})

it('leaves reserved slots out of account, but for the last one', () => {
  const slots = slotsOf(2)
  expect(slots.opensAt(100, 2)).toBe(-Infinity)
  slots.take(100, 900)

  expect(slots.opensAt(100)).toBe(100)
  expect(slots.opensAt(100, 1)).toBe(900)
  expect(slots.opensAt(100, 2)).toBe(900)
})

it('opens when enough slots are free where there are fewer than were taken', () => {
  let most = 3
  const slots = createSlots(() => ({ slots: most, spacingMs: 0, gapMs: 0 }))
  for (const freeAt of [700, 800, 900]) slots.take(100, freeAt)

  most = 1

  expect(slots.opensAt(100)).toBe(900)
})

it('holds a slot until the very moment when it comes free', () => {
  const slots = slotsOf(3)
  slots.take(100, 700)
  slots.take(100, 800)

  expect([699, 700, 799, 800].map((now) => slots.held(now))).toEqual([2, 1, 1, 0])
})

it('brings the end of a slot forward, never back', () => {
  const slots = slotsOf(3)
  const [first, second] = [slots.take(100, 700), slots.take(100, 900)]

  slots.end(second, 'ended', 600)
  slots.end(first, 'givenUp', 1000)

  expect([slots.count('inFlight'), slots.count('ended'), slots.count('givenUp')]).toEqual([0, 1, 1])
  expect([599, 600, 699, 700].map((now) => slots.held(now))).toEqual([2, 1, 1, 0])
})

it('does not hold a slot again that has come free', () => {
  const slots = slotsOf(2)
  const [gone, held] = [slots.take(100, 700), slots.take(100, 900)]
  expect(slots.held(700)).toBe(1)

  slots.end(gone, 'ended', 2000)

  expect(held).toEqual({ use: 'inFlight', freeAt: 900 })
  expect([slots.held(700), slots.count('inFlight'), slots.count('ended')]).toEqual([1, 1, 0])
})

it('opens no sooner than the least time after the last request', () => {
  const slots = slotsOf(10, 50)
  expect(slots.opensAt(100)).toBe(-Infinity)

  slots.take(100, 900)

  expect(slots.opensAt(100)).toBe(150)
})

it('opens after the longest pause, until that is ended', () => {
  const slots = slotsOf(10)
  expect(slots.pausedUntil).toBe(-Infinity)

  slots.pauseUntil(500)
  slots.pauseUntil(300)
  expect([slots.pausedUntil, slots.opensAt(100)]).toEqual([500, 500])
  slots.resume()

  expect([slots.pausedUntil, slots.opensAt(100)]).toEqual([-Infinity, -Infinity])
})
