const digits = 1 << 16

/**
 * Sorts indexes by a number each; those with equal numbers keep their order. It compares nothing: a million take about a
 * tenth of a second of processor time, a fortieth of what a sort with a function takes.
 */
export const radixSorted = (indexes: Uint32Array, numberAt: (index: number) => number): Uint32Array => {
  const size = indexes.length
  const numbers = new Float64Array(size)
  // Zero has two signs, which are equal.
  for (let i = 0; i < size; i++) numbers[i] = numberAt(indexes[i] as number) + 0
  const words = new Uint32Array(numbers.buffer)
  // The bits of positive numbers are in order but for the sign; those of negative ones are in the opposite order.
  for (let i = 0; i < size; i++) {
    const high = words[2 * i + 1] as number
    const isNegative = high >>> 31 === 1
    words[2 * i + 1] = isNegative ? ~high : high | 0x80_00_00_00
    if (isNegative) words[2 * i] = ~(words[2 * i] as number)
  }
  let order = Uint32Array.from(indexes.keys())
  let next = new Uint32Array(size)
  for (const [word, shift] of [
    [0, 0],
    [0, 16],
    [1, 0],
    [1, 16],
  ] as const) {
    const starts = new Uint32Array(digits + 1)
    const digitOf = (i: number) => ((words[2 * i + word] as number) >>> shift) & (digits - 1)
    const add = (digit: number, count: number) => (starts[digit] = (starts[digit] as number) + count)
    for (let i = 0; i < size; i++) add(digitOf(i) + 1, 1)
    if (starts.includes(size)) continue
    for (let digit = 1; digit <= digits; digit++) add(digit, starts[digit - 1] as number)
    for (const i of order) next[add(digitOf(i), 1) - 1] = i
    ;[order, next] = [next, order]
  }
  return order.map((i) => indexes[i] as number)
}
