import { limit } from './counting.ts'
import type { KeyName } from './hypotheses.ts'

/** Requests that are sent at the same time. */
interface Step {
  /** Milliseconds after the start of the round. */
  readonly at: number
  readonly count: number
  readonly key: KeyName
}

/** Requests above the rate limit, after a pause that leaves it unused. */
export interface Round {
  /** The millisecond of a second, counted from the first round, at which it starts: a fixed window ends at another time. */
  readonly phase: number
  readonly steps: readonly Step[]
}

/** Requests at the same time: two more than the service allows in a second. */
export const atOnce = limit + 2

const single = (at: number): Step => ({ at, count: 1, key: 'own' })

/** All at once, single ones while a token bucket refills, and some when a sliding window is empty again. */
const together = (phase: number): Round => ({
  phase,
  steps: [
    { at: 0, count: atOnce, key: 'own' },
    ...[200, 245, 290, 335, 380, 425, 950].map(single),
    { at: 1100, count: 5, key: 'own' },
  ],
})

/** One, then others in a row, and some when a window that began with the first one is over. */
const inSeries = (phase: number): Round => ({
  phase,
  steps: [single(0), ...Array.from({ length: 14 }, (_, i) => single(500 + i * 20)), { at: 1200, count: 4, key: 'own' }],
})

/** Another key uses its limit, and what is left of it is for the key that is probed. */
const withKey = (key: KeyName, phase: number): Round => ({
  phase,
  steps: [
    { at: 0, count: atOnce, key },
    { at: 0, count: 6, key: 'own' },
  ],
})

/** The rounds with one key. The second two are sent if the first two do not tell what explains them. */
export const ownRounds: readonly (readonly Round[])[] = [
  [together(0), inSeries(300)],
  [together(650), inSeries(950)],
]

/** The rounds with a further key. The others are sent if the first does not tell, or shows that the keys share a limit. */
export const keyRounds = (key: KeyName): readonly (readonly Round[])[] =>
  [150, 500, 800].map((phase) => [withKey(key, phase)])

/** Requests that rounds send. */
export const sizeOf = (rounds: readonly Round[]): number =>
  rounds.flatMap(({ steps }) => steps).reduce((sum, { count }) => sum + count, 0)

/** Requests of a burst, without further keys and without the rounds that are not always sent. */
export const burstSize = sizeOf(ownRounds[0] ?? [])

/** Most requests of a burst with so many further keys; one with each shows its guild. */
export const mostRequests = (keys: number): number =>
  sizeOf(ownRounds.flat()) + keys * (1 + sizeOf(keyRounds('sameGuild').flat()))
