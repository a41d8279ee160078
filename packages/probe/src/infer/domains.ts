import {
  assumptionDefinitions,
  type AssumptionDefinition,
  type AssumptionKey,
} from '@guild-ledger/mock-server/assumptions'

/** A value of an assumption. A number stands for itself and for the smaller ones down to the next one in its domain. */
export type Value = string | number | boolean | null
/** The values that each assumption may still have. */
export type Domains = ReadonlyMap<AssumptionKey, readonly Value[]>
/** A value for each assumption. */
export type Solution = Readonly<Partial<Record<AssumptionKey, Value>>>

const definitionOf = (key: AssumptionKey): AssumptionDefinition => assumptionDefinitions[key]

/** Assumptions that the responses to one valid key show. */
export const inferable = (Object.keys(assumptionDefinitions) as AssumptionKey[]).filter(
  (key) => definitionOf(key).shownBy === undefined,
)

/** The largest page that is ever requested: a service that accepts it has no largest page. */
export const largestPage = Number.MAX_SAFE_INTEGER

/** The values that an assumption may have. */
export const valuesOf = (key: AssumptionKey): readonly Value[] => {
  const definition = definitionOf(key)
  if ('values' in definition) return definition.values.map(([value]) => value)
  const most = Math.min(definition.max, largestPage - 1)
  return definition.orNull ? [most, null] : [most]
}

/** The smallest number that an assumption can be; `undefined` if it is not a number. */
export const leastOf = (key: AssumptionKey): number | undefined => {
  const definition = definitionOf(key)
  return 'values' in definition ? undefined : definition.min
}

/** The assumptions that say from which number on a request is invalid. */
const upperBounds: ReadonlySet<string> = new Set(
  inferable.filter((key) => {
    const definition = definitionOf(key)
    return 'isUpperBound' in definition && definition.isUpperBound
  }),
)
export const isUpperBound = (subject: string): subject is AssumptionKey => upperBounds.has(subject)

const largest: Solution = Object.fromEntries(inferable.filter(isUpperBound).map((key) => [key, valuesOf(key).at(-1)]))

/**
 * A solution in which no number of a request is too high. With a low limit, ordinary requests would count as invalid, and
 * depend on what becomes of those: whatever a service responds would be excused.
 */
export const unlimited = (solution: Solution): Solution => ({ ...solution, ...largest })

/** Whether a value stands only for itself. */
export const isExact = (key: AssumptionKey, value: Value, all: Domains): boolean => {
  const least = leastOf(key)
  return least === undefined || value === null || value === least || !!all.get(key)?.includes(Number(value) - 1)
}

/** A few of the solutions in which each value occurs that occurs in any. */
export const covering = (pool: readonly Solution[]): Solution[] => {
  const seen = new Set<string>()
  return pool.filter((solution) => {
    const fresh = Object.entries(solution)
      .map(([key, value]) => `${key}=${value}`)
      .filter((one) => !seen.has(one))
    for (const one of fresh) seen.add(one)
    return fresh.length > 0
  })
}
