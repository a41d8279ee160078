interface Branch {
  result?: { readonly value: unknown }
  /** Only where something follows: most branches are the last. */
  next?: Map<unknown, Branch>
}

/** Results are kept on the objects themselves: garbage collection of weak maps took half of the time. */
const kept = Symbol('kept results')

/** Computes something about an object once for each list of keys; kept for as long as the object exists. */
export const keptFor = <Result>(object: object, keys: readonly unknown[], compute: () => Result): Result => {
  const holder = object as { [kept]?: Branch }
  let branch: Branch = (holder[kept] ??= {})
  for (const key of keys) {
    const known = branch.next?.get(key)
    const next: Branch = known ?? {}
    if (!known) (branch.next ??= new Map()).set(key, next)
    branch = next
  }
  return (branch.result ??= { value: compute() }).value as Result
}

/** A function whose results are kept for as long as its argument exists. */
export const cached = <Argument extends object, Result>(
  compute: (argument: Argument) => Result,
): ((argument: Argument) => Result) => {
  const own = [compute]
  return (argument) => keptFor(argument, own, () => compute(argument))
}

let count = 0

/** A number for an object: always the same one. */
export const numberOf: (object: object) => number = cached(() => ++count)
