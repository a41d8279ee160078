import type { Value } from '../model/variables.ts'
import type { Leaf } from './leaves.ts'
import { componentsOf, reduce, solve, type Constraint, type Domains } from './solve.ts'

/** A value for every variable. */
export type Combination = ReadonlyMap<string, Value>

/** The parts of a space: none of them ever changes. */
interface SpaceState {
  readonly domains: Domains
  readonly constraints: readonly Constraint[]
  /** Combinations that were found. */
  readonly solutions: readonly Domains[]
}

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
  samples(isThorough: boolean): Combination[]
}

const nameOf = (constraint: Constraint): string =>
  constraint.map((leaf) => [...leaf].map(([variable, values]) => `${variable}=${values.join()}`).join('&')).join('|')

const withoutRepeats = (constraints: readonly Constraint[]): readonly Constraint[] => [
  ...new Map(constraints.map((constraint) => [nameOf(constraint), constraint])).values(),
]

/** Removes every value that no combination has; returns what was found on the way, or `undefined` if there is none. */
const prune = (constraints: readonly Constraint[], domains: Map<string, readonly Value[]>): Domains[] | undefined => {
  const found: Domains[] = []
  for (const component of componentsOf(constraints)) {
    const own: Domains[] = []
    for (const variable of component.variables) {
      const values = domains.get(variable) ?? []
      if (values.length < 2) continue
      const alive = values.filter((value) => {
        if (own.some((solution) => solution.get(variable)?.includes(value))) return true
        const solution = solve(component.constraints, new Map(domains).set(variable, [value]), own.length)
        if (solution) own.push(solution)
        return solution !== undefined
      })
      if (alive.length === 0) return undefined
      domains.set(variable, alive)
    }
    found.push(...own.map((solution) => new Map([...component.variables].map((one) => [one, solution.get(one) ?? []]))))
  }
  return found
}

const familyOf = (variable: string): string => {
  const dot = variable.indexOf('.')
  return dot < 0 ? variable : variable.slice(0, dot)
}

/** What is known of one kind of request is likely of the others: a value for each family of variables. */
const usualValues = (domains: Domains): Map<string, Value | undefined> =>
  new Map(
    [...domains].flatMap(([variable, values]) =>
      values.length === 1 && variable.includes('.') ? [[familyOf(variable), values[0]] as const] : [],
    ),
  )

// A variable with very many values, such as a page size, needs only one response.
const maxTried = 8

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
  /** One combination of those in which each variable may have several values. */
  const pick = (base: Domains, turn: number, isUsual: boolean): Combination => {
    const known = isUsual ? usualValues(base) : undefined
    let i = 0
    const combination = new Map<string, Value>()
    for (const [variable, values] of base) {
      const usual = known?.get(familyOf(variable))
      const isPossible = usual !== undefined && values.includes(usual)
      combination.set(variable, (isPossible ? usual : values[(turn + i++) % values.length]) as Value)
    }
    return combination
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
    samples(isThorough) {
      const components = componentsOf(constraints)
      const parts = components.map(({ variables }) =>
        solutions.filter((solution) => [...variables].some((variable) => solution.has(variable))),
      )
      const base = (turn: number): Map<string, readonly Value[]> => {
        const all = new Map(domains)
        for (const part of parts) {
          for (const [variable, values] of part[turn % Math.max(1, part.length)] ?? []) all.set(variable, values)
        }
        return all
      }
      const open = [...domains].filter(([, values]) => values.length > 1)
      const most = Math.max(maxTried, ...parts.map(({ length }) => length))
      const mixed = Array.from({ length: most * 2 }, (_, turn) => pick(base(turn), turn, turn >= most))
      if (!isThorough) return mixed
      const bound = new Set(components.flatMap(({ variables }) => [...variables]))
      const free = open
        .filter(([variable]) => !bound.has(variable))
        .flatMap(([variable, values], i) =>
          values.slice(0, maxTried).map((value) => pick(base(i).set(variable, [value]), i, true)),
        )
      // The same solutions with the next values: with two solutions, a value may come in every other turn only.
      const shifted = Array.from({ length: most }, (_, turn) => pick(base(turn), turn + 1, false))
      return [...mixed, ...shifted, ...free]
    },
  }
}
