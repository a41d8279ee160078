import type { Value } from '../model/variables.ts'
import { componentsOf, type Constraint, type Domains } from './solve.ts'

/** A value for every variable. */
export type Combination = ReadonlyMap<string, Value>

/** The parts of a space: none of them ever changes. */
export interface SpaceState {
  readonly domains: Domains
  readonly constraints: readonly Constraint[]
  /** Combinations that were found. */
  readonly solutions: readonly Domains[]
}

const familyOf = (variable: string): string => {
  const dot = variable.indexOf('.')
  return dot < 0 ? variable : variable.slice(0, dot)
}

// A variable with very many values, such as a page size, needs only one response.
const maxTried = 8

/** Combinations of a space: with nearly every value; if they are to be thorough, with each of them. */
export const samplesOf = ({ domains, constraints, solutions }: SpaceState, isThorough: boolean): Combination[] => {
  const components = componentsOf(constraints)
  const parts = components.map(({ variables }) =>
    solutions.filter((solution) => [...variables].some((variable) => solution.has(variable))),
  )
  /** The values of a solution of each component. */
  const solved = (turn: number): Map<string, readonly Value[]> => {
    const all = new Map<string, readonly Value[]>()
    for (const part of parts) {
      for (const [variable, values] of part[turn % Math.max(1, part.length)] ?? []) all.set(variable, values)
    }
    return all
  }
  /** One combination of those in which each variable may have several values. */
  const pick = (some: Domains, turn: number, isUsual: boolean): Combination => {
    // What is known of one kind of request is likely of the others: a value for each family of variables.
    const known = new Map<string, Value | undefined>()
    for (const [variable, all] of isUsual ? domains : []) {
      const values = some.get(variable) ?? all
      if (values.length === 1 && variable.includes('.')) known.set(familyOf(variable), values[0])
    }
    let i = 0
    const combination = new Map<string, Value>()
    for (const [variable, all] of domains) {
      const values = some.get(variable) ?? all
      const usual = isUsual ? known.get(familyOf(variable)) : undefined
      const isPossible = usual !== undefined && values.includes(usual)
      combination.set(variable, (isPossible ? usual : values[(turn + i++) % values.length]) as Value)
    }
    return combination
  }
  const most = Math.max(maxTried, ...parts.map(({ length }) => length))
  const mixed = Array.from({ length: most * 2 }, (_, turn) => pick(solved(turn), turn, turn >= most))
  if (!isThorough) return mixed
  const bound = new Set(components.flatMap(({ variables }) => [...variables]))
  const free = [...domains]
    .filter(([variable, values]) => values.length > 1 && !bound.has(variable))
    .flatMap(([variable, values], i) =>
      values.slice(0, maxTried).map((value) => pick(solved(i).set(variable, [value]), i, true)),
    )
  // The same solutions with the next values: with two solutions, a value may come in every other turn only.
  const shifted = Array.from({ length: most }, (_, turn) => pick(solved(turn), turn + 1, false))
  return [...mixed, ...shifted, ...free]
}
