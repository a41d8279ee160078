/** The integers from one up to, but not including, another. */
export const integersFrom = (from: number, to: number): Uint32Array<ArrayBuffer> => {
  const integers = new Uint32Array(to - from)
  for (let i = 0; i < integers.length; i++) integers[i] = from + i
  return integers
}

/**
 * Sorts indexes by a number each; those with equal numbers keep their order. It compares nothing: a hundred thousand take
 * a few milliseconds, a tenth of what a sort with a function takes.
 */
export const radixSorted = (indexes: Uint32Array, numbers: Float64Array, direction: 1 | -1 = 1): Uint32Array => {
  const size = indexes.length
  const keys = new Float64Array(size)
  // Zero has two signs, which are equal.
  for (let i = 0; i < size; i++) keys[i] = direction * (numbers[indexes[i] as number] as number) + 0
  const words = new Uint32Array(keys.buffer)
  // The bits of positive numbers are in order but for the sign; those of negative ones are in the opposite order.
  for (let low = 0; low < words.length; low += 2) {
    const high = words[low + 1] as number
    const isNegative = high >>> 31 === 1
    words[low + 1] = isNegative ? ~high : high | 0x80_00_00_00
    if (isNegative) words[low] = ~(words[low] as number)
  }
  const digits = new Uint8Array(keys.buffer)
  let order = integersFrom(0, size)
  let next = new Uint32Array(size)
  for (let digit = 0; digit < 8; digit++) {
    const counts = new Uint32Array(256)
    for (let i = digit; i < digits.length; i += 8) {
      const value = digits[i] as number
      counts[value] = (counts[value] as number) + 1
    }
    if (counts.includes(size)) continue
    let start = 0
    const nextAt = counts.map((count) => (start += count) - count)
    for (let from = 0; from < size; from++) {
      const i = order[from] as number
      const value = digits[8 * i + digit] as number
      const to = nextAt[value] as number
      next[to] = i
      nextAt[value] = to + 1
    }
    ;[order, next] = [next, order]
  }
  return order.map((i) => indexes[i] as number)
}
