import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Aspect } from './aspects.ts'
import { conflictOf, meet, type Conflict } from './conflict.ts'
import { allDomains, leastOf, type Domains, type Solution, type Value } from './domains.ts'
import { numbersIn, type Observation } from './observation.ts'
import { contradicts, solve } from './solve.ts'

/** With more sets of assumptions than these to choose from, all of them are given up. */
const maxSets = 24

type Keys = ReadonlySet<AssumptionKey>

/** A way to explain all responses. */
interface Explanation {
  /** Assumptions whose values are given up: nothing that depends on them counts. */
  readonly given: Keys
  /** The values that each assumption may have. */
  readonly domains: Map<AssumptionKey, readonly Value[]>
  /** Solutions: each possible value is in one of them. */
  readonly pool: readonly Solution[]
}

const isInexplicable = ({ nogood, depends }: Conflict): boolean => nogood.size === 0 && depends().size === 0
/** Whether a conflict does not count where some assumptions are given up. */
const isExcused = (one: Conflict, given: Keys): boolean =>
  isInexplicable(one) || (given.size > 0 && meet(given, one.depends()))

const sizeOf = (domains: Domains): number => [...domains.values()].reduce((sum, values) => sum + values.length, 0)

/** What is known of a service: the responses, and which values explain all of them. */
export class Inference {
  readonly observations: Observation[] = []
  /** How often values became possible that were not: by a division of numbers, or because some are not trusted any more. */
  revision = 0
  readonly #initial = allDomains()
  #conflicts: Conflict[] = []
  #explanations: readonly Explanation[]
  /** Aspects of endpoints that nothing explains, whatever is given up: they say nothing in other requests either. */
  readonly #hopeless = new Set<string>()
  #reference: Solution = new Map()

  constructor() {
    this.#explanations = this.#explain([new Set()])
  }

  /** The most probable solution: what is given up has the value that it had before. */
  get reference(): Solution {
    return this.#reference
  }

  /** Assumptions that some smallest explanation of the responses gives up. */
  get blamed(): Keys {
    return new Set(this.#explanations.flatMap(({ given }) => [...given]))
  }

  /** Solutions in which each possible value occurs. */
  get pool(): readonly Solution[] {
    return this.#explanations.flatMap(({ pool }) => pool)
  }

  /** The values that each assumption may have; of one that is given up, the most probable. */
  get domains(): Domains {
    const valuesOf = (key: AssumptionKey): Value[] => {
      const possible = this.#explanations.flatMap(({ given, domains }) =>
        given.has(key) ? [] : (domains.get(key) ?? []),
      )
      return possible.length > 0 ? [...new Set(possible)] : [this.#reference.get(key) ?? null]
    }
    return new Map([...this.#initial.keys()].map((key) => [key, valuesOf(key)]))
  }

  /** The values of all assumptions before anything was known. */
  get initial(): Domains {
    return this.#initial
  }

  /** Aspects that nothing explains, whatever is given up. */
  get inexplicable(): Conflict[] {
    return this.#conflicts.filter(isInexplicable)
  }

  /** Requests whose responses contradict other values of an assumption. */
  evidenceFor(key: AssumptionKey): Observation[] {
    return this.#conflicts.flatMap(({ nogood, observation }) => (nogood.has(key) && observation ? [observation] : []))
  }

  /** Whether a number stands only for itself. */
  isExact(key: AssumptionKey, value: Value): boolean {
    const least = leastOf(key)
    if (typeof value !== 'number' || least === undefined) return true
    return value === least || (this.#initial.get(key) ?? []).includes(value - 1)
  }

  /** Divides the numbers that one value stands for, at `number`. */
  split(key: AssumptionKey, number: number): void {
    const [all, least] = [this.#initial.get(key) ?? [], leastOf(key)]
    const numbers = all.filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
    const host = numbers.find((value) => value >= number)
    if (least === undefined || number < least || host === undefined || host === number) return
    this.revision++
    const divide = (map: Map<AssumptionKey, readonly Value[]>) => {
      const values = map.get(key) ?? []
      return values.includes(host) ? map.set(key, [...values, number]) : map
    }
    divide(this.#initial)
    this.#conflicts = this.#conflicts.map((one) => ({ ...one, nogood: divide(new Map(one.nogood)) }))
    for (const { domains } of this.#explanations) divide(domains)
  }

  /** Whether some values explain a response and all others. */
  explains(observation: Observation): boolean {
    this.#add(observation)
    const found = this.#explanations.some(
      ({ given, domains, pool }) =>
        pool.some((solution) => this.#satisfies(observation, solution, given)) ||
        this.#find(domains, given) !== undefined,
    )
    this.observations.pop()
    return found
  }

  /** Takes a response into account; returns whether fewer values are possible now. */
  learn(observation: Observation): boolean {
    const before = sizeOf(this.domains)
    this.#add(observation)
    this.#narrow((solution, given) => this.#satisfies(observation, solution, given))
    return sizeOf(this.domains) !== before
  }

  /** Rules out a value for a reason of its own. */
  exclude(key: AssumptionKey, value: Value): void {
    if (!this.domains.get(key)?.includes(value) || this.blamed.has(key)) return
    this.#conflicts.push({ nogood: new Map([[key, [value]]]), depends: () => new Set([key]) })
    this.#narrow((solution) => solution.get(key) !== value)
  }

  /** Puts other observations in the place of some, and learns everything again. */
  replace(old: readonly Observation[], observations: readonly Observation[]): void {
    this.revision++
    this.#conflicts = this.#conflicts.filter(({ observation }) => observation && !old.includes(observation))
    this.observations.splice(0, Infinity, ...this.observations.filter((one) => !old.includes(one)), ...observations)
    for (const one of observations) this.#split(one)
    this.#hopeless.clear()
    this.#explanations = [{ given: new Set(), domains: new Map(this.#initial), pool: [] }]
    this.#narrow(() => false)
  }

  #add(observation: Observation): void {
    this.#split(observation)
    this.observations.push(observation)
    this.#conflicts = this.#conflicts.filter((one) => !one.observation || this.observations.includes(one.observation))
  }

  #satisfies(observation: Observation, solution: Solution, given: Keys): boolean {
    const isKnown = this.#conflicts.some(
      (one) => one.observation === observation && contradicts(one.nogood, solution) && !isExcused(one, given),
    )
    const conflict = isKnown ? undefined : this.#conflict(observation, solution, given)
    if (conflict) this.#conflicts.push(conflict)
    return !isKnown && conflict === undefined
  }

  #split(observation: Observation): void {
    for (const key of this.#initial.keys())
      if (leastOf(key) !== undefined) for (const one of numbersIn(observation, key)) this.split(key, one)
  }

  #conflict(
    observation: Observation,
    solution: Solution,
    given: Keys,
    domains = this.#initial as Domains,
  ): Conflict | undefined {
    const placeOf = (aspect: Aspect) => `${aspect} ${observation.request.endpoint}`
    for (;;) {
      const found = conflictOf(observation, solution, domains, this.#initial, given, (aspect) =>
        this.#hopeless.has(placeOf(aspect)),
      )
      if (!found?.aspect || found.nogood.size > 0 || found.depends().size > 0) return found
      this.#conflicts.push(found)
      this.#hopeless.add(placeOf(found.aspect))
    }
  }

  /** The conflicts that count where some assumptions are given up. */
  #nogoods(given: Keys) {
    return this.#conflicts.flatMap((one) => (isExcused(one, given) ? [] : [one.nogood]))
  }

  /** A solution that explains all responses, if there is one; learns conflicts on the way. */
  #find(domains: Domains, given: Keys, preferred = this.#reference): Solution | undefined {
    for (;;) {
      const solution = solve(domains, this.#nogoods(given), preferred)
      if (!solution) return undefined
      let conflict: Conflict | undefined
      for (const observation of this.observations.toReversed()) {
        conflict = this.#conflict(observation, solution, given, domains)
        if (conflict) break
      }
      if (!conflict) return solution
      this.#conflicts.push(conflict)
    }
  }

  /** The values that solutions have, and such solutions; `undefined` if there is none. */
  #possible(from: Domains, given: Keys, known: readonly Solution[]): Explanation | undefined {
    const domains = new Map(from)
    const pool = [...known]
    for (const [key, values] of from) {
      const left = values.filter((value) => {
        if (pool.some((solution) => solution.get(key) === value)) return true
        const solution = this.#find(new Map(domains).set(key, [value]), given)
        if (solution) pool.push(solution)
        return solution !== undefined
      })
      if (left.length === 0) return undefined
      domains.set(key, left)
    }
    const seen = new Set<string>()
    const covering = pool.filter((solution) => {
      const fresh = [...solution].map(([key, value]) => `${key}=${value}`).filter((one) => !seen.has(one))
      for (const one of fresh) seen.add(one)
      return fresh.length > 0
    })
    return { given, domains, pool: covering }
  }

  /** All values, but of what is given up the one that it had before: another would only hide what else is not explained. */
  #domainsFor(given: Keys): Domains {
    const fixed = [...given].map((key) => [key, [this.#reference.get(key) ?? null]] as const)
    return new Map([...this.#initial, ...fixed])
  }

  #explain(sets: readonly Keys[]): Explanation[] {
    return sets.flatMap((given) => this.#possible(this.#domainsFor(given), given, []) ?? [])
  }

  /** Removes what no solution has any more; if nothing is left, gives up as few assumptions as possible. */
  #narrow(isKept: (solution: Solution, given: Keys) => boolean): void {
    const left = this.#explanations.flatMap(
      ({ given, domains, pool }) =>
        this.#possible(
          domains,
          given,
          pool.filter((solution) => isKept(solution, given)),
        ) ?? [],
    )
    if (left.length === 0) this.revision++
    this.#explanations = left.length > 0 ? left : this.#explain(this.#diagnose())
    const [first = new Map<AssumptionKey, Value>()] = this.pool
    const given = [...this.blamed].map((key) => [key, this.#reference.get(key) ?? first.get(key) ?? null] as const)
    this.#reference = new Map([...first, ...given])
  }

  /**
   * Explains contradictory responses: every set of assumptions that, given up, leaves the rest without contradiction, if no
   * smaller set does (Reiter's hitting sets).
   */
  #diagnose(): Keys[] {
    for (let sets: readonly Keys[] = [new Set()]; ;) {
      const possible = sets.filter((given) => this.#find(this.#domainsFor(given), given))
      if (possible.length > 0) return possible
      const larger = sets.flatMap((given) => [...this.#core(given)].map((key) => new Set([...given, key])))
      const distinct = [...new Map(larger.map((given) => [[...given].toSorted().join(), given])).values()]
      sets = distinct.length > maxSets ? [new Set(distinct.flatMap((given) => [...given]))] : distinct
    }
  }

  /** A smallest set of assumptions whose own conflicts leave nothing possible. */
  #core(given: Keys): Keys {
    const isPossible = (keys: Keys): boolean =>
      solve(
        this.#initial,
        this.#conflicts.flatMap((one) =>
          !isInexplicable(one) && [...one.depends()].every((key) => keys.has(key)) ? [one.nogood] : [],
        ),
      ) !== undefined
    let core = new Set([...this.#initial.keys()].filter((key) => !given.has(key)))
    for (const key of core) {
      const fewer = new Set([...core].filter((one) => one !== key))
      if (!isPossible(fewer)) core = fewer
    }
    return core
  }
}
