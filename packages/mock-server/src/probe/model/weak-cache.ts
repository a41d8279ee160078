/** A function whose results are kept for as long as its argument exists. */
export const cached = <Argument extends object, Result>(
  compute: (argument: Argument) => Result,
): ((argument: Argument) => Result) => {
  const results = new WeakMap<Argument, { readonly result: Result }>()
  return (argument) => {
    const known = results.get(argument)
    if (known) return known.result
    const result = compute(argument)
    results.set(argument, { result })
    return result
  }
}

let count = 0

/** A number for an object: always the same one. */
export const numberOf: (object: object) => number = cached(() => ++count)
