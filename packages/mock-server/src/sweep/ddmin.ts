const withoutSlice = <Item>(items: readonly Item[], start: number, end: number): Item[] => [
  ...items.slice(0, start),
  ...items.slice(end),
]

/**
 * Shrinks `items` to a part that still fails and of which no item can be left out. The algorithm is ddmin from Zeller,
 * "Simplifying and Isolating Failure-Inducing Input", without its first half: complements only.
 */
export const shrink = async <Item>(
  items: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> => {
  let smallest = items
  let size = Math.ceil(items.length / 2)
  while (smallest.length > 1) {
    const before: number = smallest.length
    for (let start = 0; start < smallest.length;) {
      const part = withoutSlice(smallest, start, start + size)
      if (part.length > 0 && (await fails(part))) smallest = part
      else start += size
    }
    if (size === 1 && smallest.length === before) return smallest
    size = Math.max(1, Math.ceil(Math.min(size, smallest.length) / 2))
  }
  return smallest
}
