import type { Read } from './parse-request.ts'
import type { Value } from './variables.ts'

/** What a computation reads next, and what depends on it; at the end its result. */
export interface Step<Result> {
  readonly variable?: string
  readonly next?: ReadonlyMap<Value, Step<Result>>
  readonly result?: { readonly value: Result }
}

/** A computation that reads values. It runs once for all combinations that agree in what it reads. */
export interface DecisionTree<Result> {
  /** The first step, which is computed with these values if it is not known. */
  first(valueOf: Read): Step<Result>
  /** The step after a value of the variable of another step, computed with these values if it is not known. */
  after(step: Step<Result>, value: Value, valueOf: Read): Step<Result>
}

interface OpenStep<Result> extends Step<Result> {
  variable?: string
  next?: Map<Value, OpenStep<Result>>
  result?: { readonly value: Result }
}

/** Creates the tree of a computation whose result depends on nothing but what it reads. */
export const createDecisionTree = <Result>(compute: (read: Read) => Result): DecisionTree<Result> => {
  const start: OpenStep<Result> = {}
  /** Runs the computation, and notes what it reads. */
  const run = (valueOf: Read): void => {
    let step = start
    const seen = new Set<string>()
    const value = compute((variable) => {
      const read = valueOf(variable)
      if (seen.has(variable)) return read
      seen.add(variable)
      step.variable = variable
      const known = step.next?.get(read)
      const next: OpenStep<Result> = known ?? {}
      if (!known) (step.next ??= new Map()).set(read, next)
      step = next
      return read
    })
    step.result = { value }
  }
  return {
    first(valueOf) {
      if (start.variable === undefined && !start.result) run(valueOf)
      return start
    },
    after(step, value, valueOf) {
      if (!step.next?.has(value)) run(valueOf)
      return step.next?.get(value) as Step<Result>
    },
  }
}
