import { hashOf } from '../hash.ts'

/**
 * A set of everything that was yielded: hashes in a typed array, by open addressing, where an empty place has 0. Of two
 * items with the same hash the second is left out, and reported as missing where the service counts it. The array
 * is between three eighths and three quarters full: 11 to 21 bytes for each item, 32 while it grows.
 */
export const createSeen = <Item>(identityOf: (item: Item) => string) => {
  let places = new Float64Array(1024)
  let size = 0

  /** The place of a hash, or the empty one where it belongs. */
  const placeOf = (hash: number): number => {
    let at = hash % places.length
    while (places[at] !== 0 && places[at] !== hash) at = (at + 1) % places.length
    return at
  }
  const grow = (): void => {
    const old = places
    places = new Float64Array(2 * old.length)
    for (const hash of old) if (hash !== 0) places[placeOf(hash)] = hash
  }
  return {
    get size(): number {
      return size
    },
    has: (item: Item): boolean => places[placeOf(hashOf(identityOf(item)))] !== 0,
    /** Records an item; false if it was known. */
    add: (item: Item): boolean => {
      const hash = hashOf(identityOf(item))
      const at = placeOf(hash)
      if (places[at] === hash) return false
      places[at] = hash
      size++
      if (size > 0.75 * places.length) grow()
      return true
    },
  }
}
export type Seen<Item> = ReturnType<typeof createSeen<Item>>
