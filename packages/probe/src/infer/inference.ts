import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { diagnose } from './blame.ts'
import type { Conflict, Keys } from './conflict.ts'
import { leastOf, type Domains, type Solution, type Value } from './domains.ts'
import { Evidence } from './evidence.ts'
import type { Observation } from './observation.ts'

/** A way to explain all responses. */
interface Explanation {
  /** Assumptions whose values are given up: nothing that depends on them counts. */
  readonly given: Keys
  /** The values that each assumption may have. */
  readonly domains: Map<AssumptionKey, readonly Value[]>
  /** Solutions: each possible value is in one of them. */
  readonly pool: readonly Solution[]
}

const sizeOf = (domains: Domains): number => [...domains.values()].reduce((sum, values) => sum + values.length, 0)

/** A few of the solutions in which each value occurs that occurs in any. */
const covering = (pool: readonly Solution[]): Solution[] => {
  const seen = new Set<string>()
  return pool.filter((solution) => {
    const fresh = Object.entries(solution)
      .map(([key, value]) => `${key}=${value}`)
      .filter((one) => !seen.has(one))
    for (const one of fresh) seen.add(one)
    return fresh.length > 0
  })
}

/** What is known of a service: which values explain all responses. */
export class Inference {
  /** The most probable solution: what is given up has the value that it had before. */
  reference: Solution = {}
  readonly #evidence = new Evidence()
  #explanations: readonly Explanation[] = [{ given: new Set(), domains: new Map(this.initial), pool: [] }]

  constructor() {
    this.#narrow(() => true)
  }

  get observations(): readonly Observation[] {
    return this.#evidence.observations
  }

  /** The values of all assumptions before anything was known. */
  get initial(): Domains {
    return this.#evidence.initial
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
      return possible.length > 0 ? [...new Set(possible)] : [this.reference[key] ?? null]
    }
    return new Map([...this.initial.keys()].map((key) => [key, valuesOf(key)]))
  }

  /** Aspects that nothing explains, whatever is given up. */
  get inexplicable(): Conflict[] {
    return this.#evidence.conflicts.filter((one) => one.isInexplicable)
  }

  /** Requests whose responses contradict other values of an assumption. */
  evidenceFor(key: AssumptionKey): Observation[] {
    return this.#evidence.conflicts.flatMap(({ nogood, observation }) =>
      nogood.has(key) && observation ? [observation] : [],
    )
  }

  /** Whether a number stands only for itself. */
  isExact(key: AssumptionKey, value: Value): boolean {
    const least = leastOf(key)
    if (typeof value !== 'number' || least === undefined) return true
    return value === least || (this.initial.get(key) ?? []).includes(value - 1)
  }

  /** Divides the numbers that one value stands for, at `number`, and finds out which of both are possible. */
  split(key: AssumptionKey, number: number): void {
    this.#split(key, number)
    this.#narrow(() => true)
  }

  /** Whether some values explain a response and all others. */
  explains(observation: Observation): boolean {
    this.#add(observation)
    const found = this.#explanations.some(
      ({ given, domains, pool }) =>
        pool.some((solution) => this.#evidence.satisfies(observation, solution, given)) ||
        this.#evidence.find(domains, given, this.reference) !== undefined,
    )
    this.#evidence.observations.pop()
    return found
  }

  /** Takes a response into account; returns whether fewer values are possible now. */
  learn(observation: Observation): boolean {
    const before = sizeOf(this.domains)
    this.#add(observation)
    this.#narrow((solution, given) => this.#evidence.satisfies(observation, solution, given))
    return sizeOf(this.domains) !== before
  }

  /** Rules out a value for a reason of its own. */
  exclude(key: AssumptionKey, value: Value): void {
    if (!this.domains.get(key)?.includes(value) || this.blamed.has(key)) return
    this.#evidence.exclude(key, value)
    this.#narrow((solution) => solution[key] !== value)
  }

  /** Puts other observations in the place of some, and learns everything again. */
  replace(old: readonly Observation[], observations: readonly Observation[]): void {
    this.#evidence.replace(old, observations)
    this.#explanations = [{ given: new Set(), domains: new Map(this.initial), pool: [] }]
    this.#narrow(() => false)
  }

  #split(key: AssumptionKey, number: number): void {
    const host = this.#evidence.split(key, number)
    if (host === undefined) return
    for (const { domains } of this.#explanations) {
      const values = domains.get(key) ?? []
      if (values.includes(host)) domains.set(key, [...values, number])
    }
  }

  #add(observation: Observation): void {
    for (const [key, number] of this.#evidence.numbersIn(observation)) this.#split(key, number)
    this.#evidence.add(observation)
  }

  /** The values that solutions have, and such solutions; `undefined` if there is none. */
  #possible(from: Domains, given: Keys, known: readonly Solution[]): Explanation | undefined {
    const domains = new Map(from)
    const pool = [...known]
    for (const [key, values] of from) {
      const left = values.filter((value) => {
        if (pool.some((solution) => solution[key] === value)) return true
        const solution = this.#evidence.find(new Map(domains).set(key, [value]), given, this.reference)
        if (solution) pool.push(solution)
        return solution !== undefined
      })
      if (left.length === 0) return undefined
      domains.set(key, left)
    }
    return { given, domains, pool: covering(pool) }
  }

  /** All values, but of what is given up the one that it had before: another would only hide what else is not explained. */
  #domainsFor(given: Keys): Domains {
    const domains = new Map(this.initial)
    for (const key of given) domains.set(key, [this.reference[key] ?? null])
    return domains
  }

  /** The smallest explanations; if there are none, everything is given up. */
  #diagnosed(): readonly Explanation[] {
    const domainsFor = (given: Keys) => this.#domainsFor(given)
    const found = diagnose(this.#evidence.conflicts, domainsFor, (given) =>
      this.#possible(domainsFor(given), given, []),
    )
    const all = new Set(this.initial.keys())
    return found.length > 0 ? found : [{ given: all, domains: new Map(domainsFor(all)), pool: [this.reference] }]
  }

  /** Removes what no solution has any more; if nothing is left, gives up as few assumptions as possible. */
  #narrow(isKept: (solution: Solution, given: Keys) => boolean): void {
    const left = this.#explanations.flatMap(({ given, domains, pool }) => {
      const kept = pool.filter((solution) => isKept(solution, given))
      return this.#possible(domains, given, kept) ?? []
    })
    this.#explanations = left.length > 0 ? left : this.#diagnosed()
    const given = [...this.blamed].map((key) => [key, this.reference[key] ?? this.pool[0]?.[key]] as const)
    this.reference = { ...this.pool[0], ...Object.fromEntries(given) }
  }
}
