type Method = (this: Map<unknown, unknown>, ...given: unknown[]) => unknown

/** How many entries the maps have in all that some work goes through: a measure of its cost that no machine changes. */
export const visitedMapEntries = (work: () => void): number => {
  const methods = Map.prototype as unknown as Record<string | symbol, Method>
  const names = [Symbol.iterator, 'entries', 'values', 'keys', 'forEach']
  const originals = names.map((name) => [name, methods[name] as Method] as const)
  let count = 0
  for (const [name, original] of originals) {
    methods[name] = function (...given) {
      count += this.size
      return original.apply(this, given)
    }
  }
  try {
    work()
  } finally {
    for (const [name, original] of originals) methods[name] = original
  }
  return count
}
