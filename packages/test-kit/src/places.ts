/** Every place in a value, as a path of keys; the value itself is the empty path. */
export const placesIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]))]
    : [path]

/** A copy of `value` with something else at a place; without the field there if that is `undefined`. */
export const replacedAt = (value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown => {
  if (key === undefined) return replacement
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replacedAt(copy[key], rest, replacement)
  if (copy[key] === undefined) delete copy[key]
  return copy
}
