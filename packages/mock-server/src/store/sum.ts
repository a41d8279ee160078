/**
 * Adds up decimals so that the order of adding does not show.
 *
 * Plain addition gives 0.1 + 0.2 = 0.30000000000000004, and other digits when sorted otherwise. Here what rounding
 * loses is carried along (Neumaier), and digits too far behind the largest to be trusted are cut off.
 */
export const sumOf = (values: Iterable<number>): number => {
  let sum = 0
  let lost = 0
  let magnitude = 0
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
    magnitude += Math.abs(value)
  }
  // Above the largest double JSON could only say null.
  if (!Number.isFinite(sum + lost)) return sum < 0 ? -Number.MAX_VALUE : Number.MAX_VALUE
  const decimals = 14 - Math.floor(Math.log10(magnitude))
  return decimals >= 0 && decimals <= 100 ? Number((sum + lost).toFixed(decimals)) : sum + lost
}
