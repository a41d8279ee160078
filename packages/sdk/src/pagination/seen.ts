import type { LedgerEntry } from '../contract/index.ts'
import { identityOf } from './page-result.ts'

type Identified = Pick<LedgerEntry, 'platformId' | 'transactionId'>

const multiply = Math.imul

/**
 * 53 bits of a string, and never 0 (cyrb53). Two of n transactions have the same hash with a probability of n² / 2^54:
 * 1 in 180 million for 10,000 transactions, 1 in 18,000 for a million. The second one is then left out, and reported as
 * missing where the service counts it.
 */
const hashOf = (text: string): number => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = multiply(a ^ unit, 2_654_435_761)
    b = multiply(b ^ unit, 1_597_334_677)
  }
  a = multiply(a ^ (a >>> 16), 2_246_822_507) ^ multiply(b ^ (b >>> 13), 3_266_489_909)
  b = multiply(b ^ (b >>> 16), 2_246_822_507) ^ multiply(a ^ (a >>> 13), 3_266_489_909)
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0) || 1
}

/**
 * A set of everything that was yielded: hashes in a typed array, by open addressing, where an empty place has 0. The
 * array is between three eighths and three quarters full: 11 to 21 bytes for each transaction, 32 while it grows.
 */
export const createSeen = () => {
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
    has: (entry: Identified): boolean => places[placeOf(hashOf(identityOf(entry)))] !== 0,
    /** Records a transaction; false if it was known. */
    add: (entry: Identified): boolean => {
      const hash = hashOf(identityOf(entry))
      const at = placeOf(hash)
      if (places[at] === hash) return false
      places[at] = hash
      size++
      if (size > 0.75 * places.length) grow()
      return true
    },
  }
}
export type Seen = ReturnType<typeof createSeen>
