import { expect, it } from 'vitest'
import { createMockClock, type MockClock } from './clock.ts'

const midnight = Date.parse('2026-03-01T00:00:00Z')

it.each<[string, (clock: MockClock) => unknown, string, boolean]>([
  ['follows the machine', () => {}, '2026-03-01T00:00:01.000Z', false],
  ['stands still when it is frozen', (clock) => clock.freeze(), '2026-03-01T00:00:00.000Z', true],
  ['is frozen at a string', (clock) => clock.freeze('2026-05-01T00:00:00Z'), '2026-05-01T00:00:00.000Z', true],
  ['is frozen at a date', (clock) => clock.freeze(new Date('2026-05-01')), '2026-05-01T00:00:00.000Z', true],
  ['is frozen at a time', (clock) => clock.freeze(Date.UTC(2026, 4, 1)), '2026-05-01T00:00:00.000Z', true],
  ['runs on after it was advanced', (clock) => clock.advance(60_000), '2026-03-01T00:01:01.000Z', false],
  [
    'stays frozen after it was advanced',
    (clock) => [clock.freeze(), clock.advance(60_000)],
    '2026-03-01T00:01:00.000Z',
    true,
  ],
  [
    'runs on from where it was frozen',
    (clock) => [clock.freeze('2026-05-01'), clock.resume()],
    '2026-05-01T00:00:01.000Z',
    false,
  ],
  [
    'is the machine again when it is reset',
    (clock) => [clock.freeze(5), clock.reset()],
    '2026-03-01T00:00:01.000Z',
    false,
  ],
])('a clock %s', (_what, change, expected, frozen) => {
  let machineMs = midnight
  const clock = createMockClock(() => machineMs)
  change(clock)
  machineMs += 1000

  expect([new Date(clock.now()).toISOString(), clock.frozen]).toEqual([expected, frozen])
})

it.each([['soon'], ['1'], [Number.NaN], [8.64e15 + 1]])('a clock cannot be frozen at %o', (at) => {
  expect(() => createMockClock(() => midnight).freeze(at)).toThrow(
    /^`at` must be a date such as '2026-02-01T00:00:00Z', got /,
  )
})

it.each([
  [-1, '`ms` must be an integer ≥ 0, got -1'],
  [0.5, '`ms` must be an integer ≥ 0, got 0.5'],
  [Number.MAX_SAFE_INTEGER, '`ms` must not lead past +275760-09-13T00:00:00.000Z, got 9007199254740991'],
])('a clock cannot be advanced by %d', (ms, message) => {
  expect(() => createMockClock(() => midnight).advance(ms)).toThrow(message)
})
