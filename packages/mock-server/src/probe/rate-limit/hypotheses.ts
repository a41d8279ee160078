import type { Assumptions } from '../../assumptions/index.ts'
import { countings, rejectsEarly, type Counted, type Counting } from './counting.ts'

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

const allWays = new Set(Object.values(countings).flatMap((both) => Object.values<readonly Counting[]>(both)))

/**
 * What explains the requests. With `isShared` other programs may have used the limit too: then a rejected request proves
 * nothing.
 */
export const explanationsOf = (traces: Traces, isShared: boolean): Hypothesis[] => {
  const countersOf = (scope: Hypothesis['scope']): Counted[][] =>
    sharing[scope].map((keys) => keys.flatMap((key) => traces[key] ?? []))
  const possible = scopes.filter((scope) => isShared || !countersOf(scope).some(rejectsEarly))
  // Some hypotheses have the same ways of counting: these are compared with the requests once.
  const fitting = new Map(
    [...allWays].map((ways) => {
      const fits = (counters: readonly Counted[][]) =>
        ways.some((way) =>
          counters.every((counted) => !way.acceptsTooMany(counted) && (isShared || !way.rejectsTooEarly(counted))),
        )
      return [ways, possible.filter((scope) => fits(countersOf(scope)))] as const
    }),
  )
  return all.filter(({ algorithm, countsRejected, scope }) =>
    fitting.get(countings[algorithm][`${countsRejected}`])?.includes(scope),
  )
}
