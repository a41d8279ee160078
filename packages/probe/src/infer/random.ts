/** Random numbers from 0 to 1, the same for the same seed (mulberry32): a probe repeats itself exactly. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The items in a random order. */
export const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] => {
  const places = new Map(items.map((item) => [item, random()]))
  return items.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}
