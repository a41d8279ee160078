import { expect, it } from 'vitest'
import { createMockClock } from './clock.ts'

const createClocks = () => {
  let machineMs = Date.parse('2026-03-01T00:00:00Z')
  const clock = createMockClock(() => machineMs)
  return {
    clock,
    iso: () => new Date(clock.now()).toISOString(),
    passMs: (ms: number) => {
      machineMs += ms
    },
  }
}

it('a clock follows the machine until it is changed', () => {
  const { clock, iso, passMs } = createClocks()
  passMs(1500)

  expect([iso(), clock.frozen]).toEqual(['2026-03-01T00:00:01.500Z', false])
})

it('a frozen clock stands still at the current time', () => {
  const { clock, iso, passMs } = createClocks()
  clock.freeze()
  passMs(1000)

  expect([iso(), clock.frozen]).toEqual(['2026-03-01T00:00:00.000Z', true])
})

it.each([['2026-05-01T00:00:00Z'], [new Date('2026-05-01')], [Date.UTC(2026, 4, 1)]])(
  'a clock can be frozen at %o',
  (at) => {
    const { clock, iso } = createClocks()
    clock.freeze(at)

    expect(iso()).toBe('2026-05-01T00:00:00.000Z')
  },
)

it('a running clock runs on after it was advanced', () => {
  const { clock, iso, passMs } = createClocks()
  clock.advance(60_000)
  passMs(1000)

  expect(iso()).toBe('2026-03-01T00:01:01.000Z')
})

it('a frozen clock stays frozen after it was advanced', () => {
  const { clock, iso, passMs } = createClocks()
  clock.freeze()
  clock.advance(60_000)
  passMs(1000)

  expect([iso(), clock.frozen]).toEqual(['2026-03-01T00:01:00.000Z', true])
})

it('a resumed clock runs on from the time at which it was frozen', () => {
  const { clock, iso, passMs } = createClocks()
  clock.freeze('2026-05-01')
  passMs(5000)
  clock.resume()
  passMs(1000)

  expect([iso(), clock.frozen]).toEqual(['2026-05-01T00:00:01.000Z', false])
})

it('a reset clock follows the machine again', () => {
  const { clock, iso, passMs } = createClocks()
  clock.advance(60_000)
  clock.freeze()
  clock.reset()
  passMs(1000)

  expect([iso(), clock.frozen]).toEqual(['2026-03-01T00:00:01.000Z', false])
})

it.each([['soon'], ['1'], [Number.NaN], [8.64e15 + 1]])('a clock cannot be frozen at %o', (at) => {
  expect(() => createClocks().clock.freeze(at)).toThrow(/^`at` must be a date such as '2026-02-01T00:00:00Z', got /)
})

it.each([
  [-1, '`ms` must be an integer ≥ 0, got -1'],
  [0.5, '`ms` must be an integer ≥ 0, got 0.5'],
  [Number.MAX_SAFE_INTEGER, '`ms` must not lead past +275760-09-13T00:00:00.000Z, got 9007199254740991'],
])('a clock cannot be advanced by %d', (ms, message) => {
  expect(() => createClocks().clock.advance(ms)).toThrow(message)
})
