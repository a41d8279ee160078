// Registered: an error may come from another copy of this module.
const key = Symbol.for('guild-ledger.path')

type Located = Error & { readonly [key]?: readonly PropertyKey[] }

/** An error about a part of a value, with the path of that part. It is not enumerable, so nothing prints it. */
export const withPath = <E extends Error>(error: E, path: readonly PropertyKey[]): E =>
  Object.defineProperty(error, key, { value: path, configurable: true })

/** The path of the part that an error is about; empty for the value as a whole. */
export const pathOfError = (error: unknown): readonly PropertyKey[] => (error as Located | undefined)?.[key] ?? []

/** The steps of a path as messages show it, such as `data[3].transactions`. */
export const stepsIn = (path: string): PropertyKey[] =>
  [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) => (index === undefined ? name : Number(index)))

/** Runs a step about a part of a value: its errors have the path of the part in front. */
export const within = <Result>(path: string, step: () => Result): Result => {
  try {
    return step()
  } catch (error) {
    const { message } = error as Error
    throw withPath(new TypeError(`${path}: ${message}`, { cause: error }), [...stepsIn(path), ...pathOfError(error)])
  }
}
