import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { diagnose } from './blame.ts'
import { conflictOf, isExcused, type Conflict } from './conflict.ts'
import type { Subjects } from './kinds.ts'
import { covering, inferable, leastOf, valuesOf, type Domains, type Solution, type Value } from './domains.ts'
import { numbersIn, type Observation } from './observation.ts'
import { contradicts, solve, type Explanation } from './solve.ts'

/** What is known of a service: the responses, the values that they contradict, and which values explain all of them. */
export class Inference {
  observations: readonly Observation[] = []
  conflicts: Conflict[] = []
  /** The values of all assumptions before anything was known. */
  readonly initial = new Map(inferable.map((key) => [key, valuesOf(key)]))
  /** The most probable solution: what is given up has the value that it had before. */
  reference: Solution = {}
  #explanation: Explanation
  /** Assumptions that an earlier probe decided. */
  readonly known: Subjects
  /** Orders that differ between two responses to one request: they are given up whatever else is. */
  readonly #random: Set<AssumptionKey>

  constructor(known: Subjects, random: readonly AssumptionKey[] = []) {
    this.known = known
    this.#random = new Set(random)
    this.#explanation = this.#start(this.#random)
    this.#narrow()
  }

  /** What is given up: assumptions that no value of theirs explains, and kinds of input. */
  get blamed(): Subjects {
    return this.#explanation.given
  }

  /** Solutions in which each possible value occurs. */
  get pool(): readonly Solution[] {
    return this.#explanation.pool
  }

  /** The values that each assumption may have; of one that is given up, the most probable. */
  get domains(): Domains {
    return this.#explanation.domains
  }

  /** Divides the numbers that one value stands for, at `number`. The next response shows which of both parts are possible. */
  split(key: AssumptionKey, number: number): void {
    const all = this.initial.get(key) ?? []
    const host = Math.min(...all.map(Number).filter((value) => value >= number))
    if (host === number || host === Infinity || number < (leastOf(key) ?? Infinity)) return
    this.initial.set(key, [...all, number])
    const { domains, given } = this.#explanation
    const values = domains.get(key) ?? []
    if (values.includes(host) && !given.has(key)) domains.set(key, [...values, number])
  }

  /** Whether some values explain a response and all others. */
  explains(observation: Observation): boolean {
    this.#add(observation)
    const { given, domains, pool } = this.#explanation
    const isKnown = pool.some((solution) => this.#satisfies(solution, given))
    const found = isKnown || this.#find(domains, given) !== undefined
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

  /** Gives up an order for good. */
  giveUp(order: AssumptionKey): void {
    if (this.#random.has(order)) return
    this.#random.add(order)
    this.#explanation = this.#diagnosed()
    this.#refer()
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
  #conflict(observation: Observation, solution: Solution, given: Subjects, domains: Domains): Conflict | undefined {
    for (;;) {
      const found = conflictOf(observation, solution, given, domains, this)
      if (found) this.conflicts.push(found)
      if (!found?.isInexplicable) return found
    }
  }

  /** Whether a solution that explains all earlier responses explains the latest, too. */
  #satisfies(solution: Solution, given: Subjects): boolean {
    const isKnown = this.conflicts.some((one) => contradicts(one.nogood, solution) && !isExcused(one, given))
    const latest = this.observations.slice(-1)
    return !isKnown && !latest.some((one) => this.#conflict(one, solution, given, this.initial))
  }

  /** A solution that explains all responses, if there is one; learns conflicts on the way. */
  #find(domains: Domains, given: Subjects): Solution | undefined {
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
  #start(given: Subjects, pool: readonly Solution[] = []): Explanation {
    const domains = new Map(this.initial)
    for (const key of domains.keys()) if (given.has(key)) domains.set(key, [this.reference[key] ?? null])
    return { given, domains, pool }
  }

  /** Values that are not ruled out for a reason of their own. */
  get #allowed(): Domains {
    const excluded = new Map(this.conflicts.flatMap(({ nogood, observation }) => (observation ? [] : [...nogood])))
    return new Map(
      [...this.initial].map(([key, values]) => [key, values.filter((value) => !excluded.get(key)?.includes(value))]),
    )
  }

  /** Explains contradictory responses: gives up as little as possible, or everything where that does not help. */
  #diagnosed(): Explanation {
    const domains = this.#allowed
    const isAllowed = (key: AssumptionKey, value: Value) => domains.get(key)?.includes(value)
    const starts = [this.reference, ...this.pool.slice(0, 4)].map((start) =>
      Object.fromEntries(
        [...domains].map(([key, [first = null]]) => [key, isAllowed(key, start[key] ?? null) ? start[key] : first]),
      ),
    )
    const { solution, given } = diagnose(this.observations, starts, {
      initial: this.initial,
      known: this.known,
      random: this.#random,
      domains,
    })
    this.reference = solution
    return this.#narrowed(this.#start(given)) ?? this.#start(new Set(this.initial.keys()), [solution])
  }

  /** Gives up what is to be given up anew, now that more responses are known; returns whether that changes anything. */
  reconsider(): boolean {
    const before = [...this.blamed].toSorted().join()
    if (before === '') return false
    this.#explanation = this.#diagnosed()
    this.#refer()
    return [...this.blamed].toSorted().join() !== before
  }

  /** Removes what no solution has any more; if nothing is left, gives up as little as possible. */
  #narrow(): void {
    this.#explanation = this.#narrowed(this.#explanation) ?? this.#diagnosed()
    this.#refer()
  }

  #refer(): void {
    const given = [...this.#explanation.domains].filter(([key]) => this.blamed.has(key))
    const before = given.map(([key]) => [key, this.reference[key] ?? this.pool[0]?.[key]] as const)
    this.reference = { ...this.pool[0], ...Object.fromEntries(before) }
  }
}
