import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Aspect } from './aspects.ts'
import { conflictOf, isExcused, type Conflict, type Keys } from './conflict.ts'
import { allDomains, leastOf, type Domains, type Solution, type Value } from './domains.ts'
import { numbersIn, type Observation } from './observation.ts'
import { contradicts, solve } from './solve.ts'

/** The responses, and the values that they were found to contradict. */
export class Evidence {
  readonly observations: Observation[] = []
  readonly conflicts: Conflict[] = []
  /** The values of all assumptions before anything was known. */
  readonly initial = allDomains()
  /** Aspects that nothing explains, whatever is given up: they say nothing in other requests to the same endpoint either. */
  readonly #hopeless = new Set<string>()

  /** Adds a response, and forgets the conflicts of those that are none any more. */
  add(observation: Observation): void {
    this.observations.push(observation)
    this.#keep(({ observation: of }) => !of || this.observations.includes(of))
  }

  /** Puts other observations in the place of some. */
  replace(old: readonly Observation[], observations: readonly Observation[]): void {
    const kept = this.observations.filter((one) => !old.includes(one))
    // Not those of an observation that was only tried: the ledger may have been another.
    this.#keep(({ observation }) => observation !== undefined && kept.includes(observation))
    this.observations.splice(0, Infinity, ...kept, ...observations)
    this.#hopeless.clear()
  }

  /** Rules out a value for a reason of its own. */
  exclude(key: AssumptionKey, value: Value): void {
    this.conflicts.push({ nogood: new Map([[key, [value]]]), depends: () => new Set([key]), isInexplicable: false })
  }

  /** The numbers at which a response divides what numbers an assumption may be. */
  numbersIn(observation: Observation): (readonly [AssumptionKey, number])[] {
    const keys = [...this.initial.keys()].filter((key) => leastOf(key) !== undefined)
    return keys.flatMap((key) => numbersIn(observation, key).map((number) => [key, number] as const))
  }

  /** Divides the numbers that one value stands for, at `number`; returns that value. */
  split(key: AssumptionKey, number: number): Value | undefined {
    const [all, least] = [this.initial.get(key) ?? [], leastOf(key)]
    const numbers = all.filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
    const host = numbers.find((value) => value >= number)
    if (least === undefined || number < least || host === undefined || host === number) return undefined
    this.initial.set(key, [...all, number])
    return host
  }

  /** Whether a solution explains a response; learns the conflict if not. */
  satisfies(observation: Observation, solution: Solution, given: Keys): boolean {
    const isKnown = this.conflicts.some(
      (one) => one.observation === observation && contradicts(one.nogood, solution) && !isExcused(one, given),
    )
    const conflict = isKnown ? undefined : this.#conflict(observation, solution, given, this.initial)
    if (conflict) this.conflicts.push(conflict)
    return !isKnown && conflict === undefined
  }

  /** A solution that explains all responses, if there is one; learns conflicts on the way. */
  find(domains: Domains, given: Keys, preferred: Solution): Solution | undefined {
    for (;;) {
      const nogoods = this.conflicts.flatMap((one) => (isExcused(one, given) ? [] : [one.nogood]))
      const solution = solve(domains, nogoods, preferred)
      if (!solution) return undefined
      let conflict: Conflict | undefined
      for (const observation of this.observations.toReversed()) {
        conflict = this.#conflict(observation, solution, given, domains)
        if (conflict) break
      }
      if (!conflict) return solution
      this.conflicts.push(conflict)
    }
  }

  #keep(isKept: (conflict: Conflict) => boolean): void {
    this.conflicts.splice(0, Infinity, ...this.conflicts.filter(isKept))
  }

  #conflict(observation: Observation, solution: Solution, given: Keys, domains: Domains): Conflict | undefined {
    const placeOf = (aspect: Aspect) => `${aspect} ${observation.request.endpoint}`
    for (;;) {
      const found = conflictOf(observation, solution, domains, this.initial, given, (aspect) =>
        this.#hopeless.has(placeOf(aspect)),
      )
      if (!found?.aspect || !found.isInexplicable) return found
      this.conflicts.push(found)
      this.#hopeless.add(placeOf(found.aspect))
    }
  }
}
