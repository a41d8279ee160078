import type { Assumptions } from '../../assumptions/index.ts'
import { countings, type Counted } from './counting.ts'

/** The key of a request: the one that is probed, another of its guild, one of another guild. */
export type KeyName = 'own' | 'sameGuild' | 'otherGuild'

/** The requests with each key. */
export type Traces = Readonly<Partial<Record<KeyName, readonly Counted[]>>>

/** A way in which a service may limit requests. A token bucket stands for GCRA too, which accepts the same requests. */
export interface Hypothesis {
  readonly algorithm: keyof typeof countings
  readonly countsRejected: boolean
  readonly scope: Assumptions['rateLimitScope']
}

const sharing: Readonly<Record<Assumptions['rateLimitScope'], readonly (readonly KeyName[])[]>> = {
  key: [['own'], ['sameGuild'], ['otherGuild']],
  guild: [['own', 'sameGuild'], ['otherGuild']],
  address: [['own', 'sameGuild', 'otherGuild']],
}

/** Whether a key uses the limit of the key that is probed. */
export const isSharedWith = (key: KeyName, scope: Hypothesis['scope']): boolean =>
  sharing[scope].some((keys) => keys.includes('own') && keys.includes(key))

const algorithms = Object.keys(countings) as Hypothesis['algorithm'][]
const scopes = Object.keys(sharing) as Hypothesis['scope'][]
const all: readonly Hypothesis[] = algorithms.flatMap((algorithm) =>
  [false, true].flatMap((countsRejected) => scopes.map((scope) => ({ algorithm, countsRejected, scope }))),
)

/**
 * What explains the requests. With `isShared` other programs may have used the limit too: then a rejected request proves
 * nothing.
 */
export const explanationsOf = (traces: Traces, isShared: boolean): Hypothesis[] =>
  all.filter(({ algorithm, countsRejected, scope }) => {
    const counters = sharing[scope].map((keys) => keys.flatMap((key) => traces[key] ?? []))
    return countings[algorithm][`${countsRejected}`].some((counting) =>
      counters.every(
        (counted) => !counting.acceptsTooMany(counted) && (isShared || !counting.rejectsTooEarly(counted)),
      ),
    )
  })
