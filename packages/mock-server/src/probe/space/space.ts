import type { Value } from '../model/variables.ts'
import { keptFor } from '../model/kept-results.ts'
import { nameOf, type Leaf } from './leaves.ts'
import { samplesOf, type Combination, type SpaceState } from './samples.ts'
import { componentsOf, reduce, solve, type Constraint, type Domains } from './solve.ts'

/** The combinations of values that explain everything observed so far. */
export interface Space {
  /** The values of each variable that some combination has. */
  readonly domains: Domains
  /** What it consists of. */
  state(): SpaceState
  /** Adds evidence. Returns false, and changes nothing, if no combination would be left. */
  add(leaves: readonly Leaf[]): boolean
  /** Adds several pieces of evidence at once. */
  addAll(constraints: readonly Constraint[]): boolean
  /** Adds what is known of one variable. */
  restrict(variable: string, values: readonly Value[]): boolean
  /** A copy, to try something. */
  fork(): Space
  /** Takes over what is known in a copy. */
  become(copy: Space): void
  /** Combinations: with nearly every value that is still possible; if it is to be thorough, with each of them. */
  samples(isThorough: boolean): readonly Combination[]
}

const withoutRepeats = (constraints: readonly Constraint[]): readonly Constraint[] => [
  ...new Map(constraints.map((constraint) => [nameOf(constraint), constraint])).values(),
]

/** Removes every value that no combination has; returns what was found on the way, or `undefined` if there is none. */
const prune = (constraints: readonly Constraint[], domains: Map<string, readonly Value[]>): Domains[] | undefined => {
  const found: Domains[] = []
  for (const component of componentsOf(constraints)) {
    const own: Domains[] = []
    const left = new Map([...component.variables].map((variable) => [variable, domains.get(variable) ?? []]))
    for (const variable of component.variables) {
      const values = left.get(variable) ?? []
      if (values.length < 2) continue
      const alive = values.filter((value) => {
        if (own.some((solution) => solution.get(variable)?.includes(value))) return true
        const solution = solve(component.constraints, new Map(left).set(variable, [value]), own.length)
        if (solution) own.push(solution)
        return solution !== undefined
      })
      if (alive.length === 0) return undefined
      domains.set(variable, alive)
      left.set(variable, alive)
    }
    found.push(...own)
  }
  return found
}

/** A space in which everything is possible that the domains and the constraints allow. */
export const createSpace = (
  initial: Domains,
  given: readonly Constraint[] = [],
  partial: readonly Domains[] = [],
): Space => {
  let domains = initial
  let constraints = given
  let solutions = partial
  const take = (added: readonly Constraint[], from: Domains): boolean => {
    const first = reduce([...constraints, ...added], from)
    if (!first) return false
    const left = new Map(first.domains)
    const distinct = withoutRepeats(first.constraints)
    const found = prune(distinct, left)
    const second = found && reduce(distinct, left)
    if (!second) return false
    ;({ domains, constraints } = second)
    solutions = found
    return true
  }
  return {
    get domains() {
      return domains
    },
    add: (leaves) => take([leaves], domains),
    addAll: (added) => take(added, domains),
    restrict: (variable, values) => take([], new Map(domains).set(variable, values)),
    state: () => ({ domains, constraints, solutions }),
    fork: () => createSpace(domains, constraints, solutions),
    become(copy) {
      ;({ domains, constraints, solutions } = copy.state())
    },
    samples: (isThorough) =>
      keptFor(domains, [constraints, solutions, isThorough], () =>
        samplesOf({ domains, constraints, solutions }, isThorough),
      ),
  }
}
