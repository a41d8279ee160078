/** The sum of an array up to every 128th position, so that the sum of any range takes two short additions. */
export type PrefixSums = Float64Array

const blockBits = 7
const blockSize = 1 << blockBits

type IntegerAt = (index: number) => number

/** Adds up integers in the order of `indexes`. They and all of their sums must be exact, that is below 2^53. */
export const prefixSumsOf = (indexes: Uint32Array, integerAt: IntegerAt): PrefixSums => {
  const sums = new Float64Array((indexes.length >>> blockBits) + 1)
  let sum = 0
  for (let i = 0; i < indexes.length; i++) {
    if (i % blockSize === 0) sums[i >>> blockBits] = sum
    sum += integerAt(indexes[i] as number)
  }
  if (indexes.length % blockSize === 0) sums[sums.length - 1] = sum
  return sums
}

const sumBefore = (sums: PrefixSums, indexes: Uint32Array, integerAt: IntegerAt, end: number): number => {
  let sum = sums[end >>> blockBits] as number
  for (let i = end - (end % blockSize); i < end; i++) sum += integerAt(indexes[i] as number)
  return sum
}

/** The sum from one position up to, but not including, another. */
export const sumBetween = (
  sums: PrefixSums,
  indexes: Uint32Array,
  integerAt: IntegerAt,
  from: number,
  to: number,
): number => sumBefore(sums, indexes, integerAt, to) - sumBefore(sums, indexes, integerAt, from)
