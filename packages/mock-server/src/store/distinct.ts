const blockBits = 7
const blockSize = 1 << blockBits

/** For each position of an array, where the same code stood before; for each 128 positions, the smallest of these. */
export interface PreviousPositions {
  /** -1 where a code stands for the first time. */
  readonly previous: Int32Array
  readonly smallest: Int32Array
}

/** Notes for each position of `indexes` the previous position with the same code, of `count` codes in all. */
export const previousPositions = (indexes: Uint32Array, codes: Uint32Array, count: number): PreviousPositions => {
  const previous = new Int32Array(indexes.length)
  const smallest = new Int32Array(Math.ceil(indexes.length / blockSize)).fill(indexes.length)
  const last = new Int32Array(count).fill(-1)
  for (let i = 0; i < indexes.length; i++) {
    const code = codes[indexes[i] as number] as number
    const before = last[code] as number
    previous[i] = before
    last[code] = i
    if (before < (smallest[i >>> blockBits] as number)) smallest[i >>> blockBits] = before
  }
  return { previous, smallest }
}

/**
 * Counts the different codes in a range of positions: those whose previous position is before the range. Most codes
 * come early in a long range; behind that, whole blocks are skipped.
 */
export const countDistinct = ({ previous, smallest }: PreviousPositions, from: number, to: number): number => {
  let count = 0
  for (let i = from; i < to;) {
    const blockEnd = Math.min(to, (i | (blockSize - 1)) + 1)
    if ((smallest[i >>> blockBits] as number) >= from) i = blockEnd
    // Without a branch, which the processor would often predict wrongly.
    for (; i < blockEnd; i++) count += Number((previous[i] as number) < from)
  }
  return count
}

/** Counts the different codes of a few indexes. */
export const countDistinctOf = (indexes: Uint32Array, codes: Uint32Array, count: number): number => {
  const seen = new Uint8Array(count)
  let found = 0
  for (let i = 0; i < indexes.length; i++) {
    const code = codes[indexes[i] as number] as number
    found += 1 - (seen[code] as number)
    seen[code] = 1
  }
  return found
}
