import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { aspectsOf, type Aspect, type Part } from './aspects.ts'
import { diagnose } from './blame.ts'
import { constrain, numbersIn, type Constraint, type Nogood, type Observation } from './constrain.ts'
import { dependencesOf } from './dependence.ts'
import { allDomains, leastOf, type Domains, type Solution, type Value } from './domains.ts'
import { createRandom } from './random.ts'
import { satisfies, solve } from './solve.ts'

const maxPool = 40

/** What is known of a service: the responses, what each leaves possible, and which values fit all of them. */
export class Inference {
  readonly observations: Observation[] = []
  readonly constraints: Constraint[] = []
  /** The values that each assumption may have. */
  domains = allDomains()
  /** Assumptions that some smallest explanation of the responses gives up. */
  blamed: ReadonlySet<AssumptionKey> = new Set()
  /** Solutions: each possible value is in one of them. */
  pool: Solution[] = []
  /** How often values became possible that were not: by a division of numbers, or because some are not trusted any more. */
  revision = 0
  /** Aspects that nothing explains, whatever is given up. */
  readonly inexplicable: Constraint[] = []
  readonly #initial = allDomains()
  readonly #random = createRandom(1)
  #nogoods: Nogood[] = []
  #given: readonly ReadonlySet<AssumptionKey>[] = []
  #latest:
    | { observation: Observation; domains: Domains; revision: number; constraints: Constraint[] | undefined }
    | undefined

  /** A solution from before anything was given up. */
  #last: Solution = new Map()

  constructor() {
    this.#narrow([])
  }

  /** The most probable solution: what is given up has the value that it had before. */
  get reference(): Solution {
    const [first = new Map()] = this.pool
    const given = [...this.blamed].map((key) => [key, this.#last.get(key) ?? first.get(key) ?? null] as const)
    return new Map([...first, ...given])
  }

  /** The values of all assumptions before anything was known. */
  get allInitial(): Domains {
    return this.#initial
  }

  /** The values of an assumption before anything was known. */
  initial(key: AssumptionKey): readonly Value[] {
    return this.#initial.get(key) ?? []
  }

  /** Whether a number stands only for itself. */
  isExact(key: AssumptionKey, value: Value): boolean {
    const least = leastOf(key)
    if (typeof value !== 'number' || least === undefined) return true
    return value === least || this.initial(key).includes(value - 1)
  }

  /** Divides the numbers that one value stands for, at `number`. */
  split(key: AssumptionKey, number: number): void {
    const least = leastOf(key)
    const known = this.initial(key).filter((value) => typeof value === 'number')
    const host = known.toSorted((a, b) => a - b).find((value) => value >= number)
    if (least === undefined || number < least || host === undefined || host === number) return
    this.revision++
    const withNumber = (values: readonly Value[]) => (values.includes(host) ? [...values, number] : values)
    const extended = (nogood: Nogood) =>
      nogood.has(key) ? new Map([...nogood, [key, withNumber(nogood.get(key) ?? [])] as const]) : nogood
    this.#initial.set(key, withNumber(this.initial(key)))
    this.domains.set(key, withNumber(this.domains.get(key) ?? []))
    this.#nogoods = this.#nogoods.map(extended)
    for (const [i, one] of this.constraints.entries()) {
      const domains = new Map([...one.domains, [key, withNumber(one.domains.get(key) ?? [])] as const])
      this.constraints[i] = { ...one, domains, nogoods: one.nogoods.map(extended) }
    }
    const other = this.pool.find((solution) => solution.get(key) === host)
    if (other) this.pool.push(new Map([...other, [key, number]]))
  }

  /** What a response leaves possible; `undefined` if it takes too long to tell. */
  constraintsOf(observation: Observation): Constraint[] | undefined {
    const numbers = numbersIn(observation)
    for (const key of this.#initial.keys())
      if (leastOf(key) !== undefined) for (const one of numbers) this.split(key, one)
    const { domains, revision } = this
    const last = this.#latest
    if (last?.observation === observation && last.domains === domains && last.revision === revision)
      return last.constraints
    const constraints = constrain(observation, domains, (part) => this.#openAspects(observation, part))
    this.#latest = { observation, domains, revision, constraints }
    return constraints
  }

  /** Whether some values agree with everything that is known and with these constraints. */
  explains(constraints: readonly Constraint[]): boolean {
    const nogoods = constraints.flatMap((one) => one.nogoods)
    if (this.pool.some((solution) => nogoods.every((nogood) => satisfies(solution, nogood)))) return true
    return this.blamed.size === 0 && solve(this.domains, [...this.#nogoods, ...nogoods], this.#random) !== undefined
  }

  /** Takes a response into account; returns whether fewer values are possible now. */
  learn(observation: Observation, constraints: readonly Constraint[]): boolean {
    const before = this.#size()
    this.observations.push(observation)
    this.#take(constraints)
    return this.#size() !== before
  }

  /** Rules out a value for a reason of its own. */
  exclude(key: AssumptionKey, value: Value, aspect: Aspect): void {
    const observation = this.observations.at(-1)
    if (!observation) return
    const nogoods = [new Map([[key, [value]]])]
    this.#take([{ observation, aspect, nogoods, domains: this.domains, isAlone: true }])
  }

  #take(constraints: readonly Constraint[]): void {
    this.constraints.push(...constraints)
    const added = constraints.flatMap((one) => one.nogoods)
    const isKnown = this.pool.every((solution) => added.every((nogood) => satisfies(solution, nogood)))
    if (this.blamed.size > 0 && isKnown) return
    if (this.blamed.size > 0 || !this.#narrow(added)) this.#blame()
  }

  /** The aspects of a part that may change something: some explanation gives up nothing on which they depend. */
  #openAspects(observation: Observation, part: Part): readonly Aspect[] {
    if (this.blamed.size === 0 || this.#given.length === 0) return aspectsOf[part]
    const { reference } = this
    const found = dependencesOf(observation, part, reference, this.#initial)
    return aspectsOf[part].filter((aspect) =>
      this.#given.some((given) => ![...given].some((key) => found.get(aspect)?.has(key))),
    )
  }

  #size(): number {
    return [...this.domains.values()].reduce((sum, values) => sum + values.length, 0)
  }

  /** Removes what no solution has. Returns whether there is a solution. */
  #narrow(added: readonly Nogood[]): boolean {
    this.#nogoods.push(...added)
    const pool = this.pool.filter((solution) => added.every((nogood) => satisfies(solution, nogood)))
    const domains = this.#possible(this.domains, this.#nogoods, pool)
    if (!domains) return false
    this.domains = domains
    this.pool = pool.slice(-maxPool)
    this.#last = this.pool[0] ?? new Map()
    return true
  }

  /** The values that solutions have; these are added to the pool. */
  #possible(from: Map<AssumptionKey, readonly Value[]>, nogoods: readonly Nogood[], pool: Solution[]) {
    const domains = new Map(from)
    for (const [key, values] of from) {
      const left = values.filter((value) => {
        if (pool.some((solution) => solution.get(key) === value)) return true
        const solution = solve(new Map(domains).set(key, [value]), nogoods, this.#random)
        if (solution) pool.push(solution)
        return solution !== undefined
      })
      if (left.length === 0) return undefined
      domains.set(key, left)
    }
    return domains
  }

  #blame(): void {
    this.revision++
    const found = diagnose(this.constraints, this.#initial, this.reference, this.#random)
    this.blamed = found.blamed
    this.#given = found.isComplete ? found.diagnoses.map(({ given }) => given) : []
    this.inexplicable.splice(0, Infinity, ...found.inexplicable)
    const pools: Solution[] = []
    const domains = new Map<AssumptionKey, Set<Value>>([...this.#initial.keys()].map((key) => [key, new Set()]))
    for (const { given, nogoods } of found.diagnoses) {
      const pool: Solution[] = []
      const possible = this.#possible(this.#initial, nogoods, pool)
      for (const [key, values] of possible ?? []) {
        if (!given.has(key)) for (const value of values) domains.get(key)?.add(value)
      }
      pools.push(...pool)
    }
    this.pool = pools.slice(-maxPool)
    const [reference] = this.pool
    this.domains = new Map(
      [...domains].map(([key, values]) => [key, values.size > 0 ? [...values] : [reference?.get(key) ?? null]]),
    )
  }
}
