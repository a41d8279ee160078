import type { Faker } from './faker.ts'

/** When a seeded transaction was created, and how. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly at: number
  /** `reward`: exactly at the start of a day. `again`: the same purchase as the one before, in the same second. */
  readonly kind: 'purchase' | 'reward' | 'again'
}

/** Transactions are created in the 90 days before this time, whatever the clock says. */
const latestAt = Date.UTC(2026, 0, 31, 12)
const days = 90
const dayMs = 24 * 60 * 60 * 1000
/** The days that start within that time: the first of the month, then the others from the latest on. */
const dayStarts = [
  Date.UTC(2026, 0, 1),
  ...Array.from({ length: days }, (_, day) => Date.UTC(2026, 0, 31) - day * dayMs).filter(
    (at) => at !== Date.UTC(2026, 0, 1),
  ),
]

export const seededTimes = (count: number, faker: Faker): Time[] => {
  const rewards = Math.ceil(count / 6)
  const times = Array.from({ length: count }, (_, i) =>
    i < rewards
      ? { at: dayStarts[i % days] ?? latestAt, kind: 'reward' as const }
      : { at: latestAt - faker.number.int({ max: days * dayMs }), kind: 'purchase' as const },
  ).toSorted((a, b) => a.at - b.at)
  // Not a map: each time depends on the one that was chosen before.
  const chosen: Time[] = []
  for (const [i, time] of times.entries()) {
    const [before, left] = [chosen.at(-1), count - i]
    if (left % 5 !== 2 || before === undefined || time.kind === 'reward') chosen.push(time)
    else {
      // In the same millisecond, or later in the same second.
      const later = left % 10 === 2 ? 0 : Math.min(999 - (before.at % 1000), time.at - before.at)
      chosen.push({ at: before.at + later, kind: 'again' })
    }
  }
  return chosen
}
