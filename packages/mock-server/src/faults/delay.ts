import { longestTimerMs } from '@guild-ledger/validation'
import type { Distribution } from '../fault.ts'

// 99 of 100 values of the standard normal distribution are below it.
const normal99 = 2.326348

/** Milliseconds: as given, or drawn from a distribution. */
export const delayOf = (ms: number | Distribution, random: () => number): number => {
  if (typeof ms === 'number') return ms
  const { median, p99 } = ms
  // Box and Muller: two uniform numbers make a normal one. The first must not be 0.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const drawn = median * (p99 / median) ** (normal / normal99)
  return Math.min(longestTimerMs, Math.round(drawn))
}
