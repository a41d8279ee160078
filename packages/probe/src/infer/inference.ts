import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { largerSets, type Explanation } from './blame.ts'
import { conflictOf, isExcused, type Conflict, type Keys } from './conflict.ts'
import { covering, inferable, leastOf, valuesOf, type Domains, type Solution, type Value } from './domains.ts'
import { numbersIn, type Observation } from './observation.ts'
import { contradicts, solve } from './solve.ts'

/** What is known of a service: the responses, the values that they contradict, and which values explain all of them. */
export class Inference {
  observations: readonly Observation[] = []
  conflicts: Conflict[] = []
  /** The values of all assumptions before anything was known. */
  readonly initial = new Map(inferable.map((key) => [key, valuesOf(key)]))
  /** The most probable solution: what is given up has the value that it had before. */
  reference: Solution = {}
  #explanations: readonly Explanation[] = []
  /** Assumptions that an earlier probe decided. */
  readonly known: Keys

  constructor(known: Keys) {
    this.known = known
    this.#narrow()
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
    const possibleOf = (key: AssumptionKey): Value[] => {
      const possible = this.#explanations.flatMap(({ given, domains }) =>
        given.has(key) ? [] : (domains.get(key) ?? []),
      )
      return possible.length > 0 ? [...new Set(possible)] : [this.reference[key] ?? null]
    }
    return new Map([...this.initial.keys()].map((key) => [key, possibleOf(key)]))
  }

  /** Divides the numbers that one value stands for, at `number`. The next response shows which of both parts are possible. */
  split(key: AssumptionKey, number: number): void {
    const all = this.initial.get(key) ?? []
    const host = Math.min(...all.map(Number).filter((value) => value >= number))
    if (host === number || host === Infinity || number < (leastOf(key) ?? Infinity)) return
    this.initial.set(key, [...all, number])
    for (const { domains } of this.#explanations) {
      const values = domains.get(key) ?? []
      if (values.includes(host)) domains.set(key, [...values, number])
    }
  }

  /** Whether some values explain a response and all others. */
  explains(observation: Observation): boolean {
    this.#add(observation)
    const found = this.#explanations.some(
      ({ given, domains, pool }) =>
        pool.some((solution) => this.#satisfies(solution, given)) || this.#find(domains, given) !== undefined,
    )
    this.observations = this.observations.slice(0, -1)
    return found
  }

  /** Takes a response into account; returns whether fewer values are possible now. */
  learn(observation: Observation): boolean {
    const countValues = () => [...this.domains.values()].flat().length
    const before = countValues()
    this.#add(observation)
    this.#narrow()
    return countValues() !== before
  }

  /** Rules out a value for a reason of its own. */
  exclude(key: AssumptionKey, value: Value): void {
    if (this.blamed.has(key)) return
    this.conflicts.push({ nogood: new Map([[key, [value]]]), depends: () => new Set([key]), isInexplicable: false })
    this.#narrow()
  }

  /** Adds a response, and forgets the conflicts of those that are none any more. */
  #add(observation: Observation): void {
    for (const key of this.initial.keys()) for (const number of numbersIn(observation, key)) this.split(key, number)
    this.observations = [...this.observations, observation]
    this.conflicts = this.conflicts.filter(({ observation: of }) => !of || this.observations.includes(of))
  }

  /** Why a solution does not explain a response; `undefined` if it does. */
  #conflict(observation: Observation, solution: Solution, given: Keys, domains: Domains): Conflict | undefined {
    for (;;) {
      const found = conflictOf(observation, solution, given, domains, this)
      if (found) this.conflicts.push(found)
      if (!found?.isInexplicable) return found
    }
  }

  /** Whether a solution that explains all earlier responses explains the latest, too. */
  #satisfies(solution: Solution, given: Keys): boolean {
    const isKnown = this.conflicts.some((one) => contradicts(one.nogood, solution) && !isExcused(one, given))
    const latest = this.observations.slice(-1)
    return !isKnown && !latest.some((one) => this.#conflict(one, solution, given, this.initial))
  }

  /** A solution that explains all responses, if there is one; learns conflicts on the way. */
  #find(domains: Domains, given: Keys): Solution | undefined {
    for (;;) {
      const nogoods = this.conflicts.flatMap((one) => (isExcused(one, given) ? [] : [one.nogood]))
      const solution = solve(domains, nogoods, this.reference)
      const latest = this.observations.toReversed()
      if (!solution || !latest.some((one) => this.#conflict(one, solution, given, domains))) return solution
    }
  }

  /** Removes the solutions and values that are not possible any more; `undefined` if nothing is left. */
  #narrowed({ given, domains: from, pool: known }: Explanation): Explanation | undefined {
    const domains = new Map(from)
    const pool = known.filter((solution) => this.#satisfies(solution, given))
    for (const [key, values] of from) {
      const left = values.filter((value) => {
        if (pool.some((solution) => solution[key] === value)) return true
        const solution = this.#find(new Map(domains).set(key, [value]), given)
        if (solution) pool.push(solution)
        return solution !== undefined
      })
      if (left.length === 0) return undefined
      domains.set(key, left)
    }
    return { given, domains, pool: covering(pool) }
  }

  /** All values, but of what is given up the one that it had before: another would only hide what else is not explained. */
  #start(given: Keys, pool: readonly Solution[] = []): Explanation {
    const domains = new Map(this.initial)
    for (const key of given) domains.set(key, [this.reference[key] ?? null])
    return { given, domains, pool }
  }

  /**
   * Explains contradictory responses: with every set of assumptions that, given up, leaves the rest without contradiction, if
   * no smaller set does (Reiter's hitting sets), and if possible without what was known before. If there are none, everything
   * is given up.
   */
  #diagnosed(): readonly Explanation[] {
    for (let starts = [this.#start(new Set())]; starts.length > 0;) {
      const found = starts.flatMap((start) => this.#narrowed(start) ?? [])
      const familiar = found.filter(({ given }) => ![...given].some((key) => this.known.has(key)))
      if (found.length > 0) return familiar.length > 0 ? familiar : found
      starts = largerSets(starts, this.conflicts).map((given) => this.#start(given))
    }
    return [this.#start(new Set(this.initial.keys()), [this.reference])]
  }

  /** Removes what no solution has any more; if nothing is left, gives up as few assumptions as possible. */
  #narrow(): void {
    const left = this.#explanations.flatMap((one) => this.#narrowed(one) ?? [])
    this.#explanations = left.length > 0 ? left : this.#diagnosed()
    const given = [...this.blamed].map((key) => [key, this.reference[key] ?? this.pool[0]?.[key]] as const)
    this.reference = { ...this.pool[0], ...Object.fromEntries(given) }
  }
}
