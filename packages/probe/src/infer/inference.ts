import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Aspect } from './aspects.ts'
import { claimOf, diagnose } from './blame.ts'
import { constrain, type Constraint, type Nogood, type Observation } from './constrain.ts'
import { allDomains, leastOf, type Domains, type Solution, type Value } from './domains.ts'
import { createRandom } from './random.ts'
import { satisfies, solve } from './solve.ts'

const maxPool = 40

/** The integers in a request and its response that an assumption may be about. */
const numbersIn = ({ request: { query = {} }, observed }: Observation): number[] => {
  const numbers = [query['page'], query['limit'], observed.of('page'), observed.of('limit'), observed.count]
    .flat()
    .map(Number)
  return numbers.flatMap((number) => (Number.isSafeInteger(number) ? [number - 1, number] : []))
}

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

  constructor() {
    this.#narrow([])
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
    const constraints = constrain(observation, domains)
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
    if (this.blamed.size > 0 && (isKnown || this.#areGivenUp(constraints))) return
    if (this.blamed.size > 0 || !this.#narrow(added)) this.#blame()
  }

  /** Whether every explanation gives up something on which each of these depends: then they change nothing. */
  #areGivenUp(constraints: readonly Constraint[]): boolean {
    const [reference] = this.pool
    if (!reference || this.#given.length === 0) return false
    return constraints.every((one) => {
      const { keys } = claimOf(one, this.#initial, reference)
      return this.#given.every((given) => [...given].some((key) => keys.has(key)))
    })
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
    const found = diagnose(this.constraints, this.#initial, this.pool[0], this.#random)
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
