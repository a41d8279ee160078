/** Words for a range of numbers: `an integer ≥ 1`, `an integer from 1 to 100`. The largest safe integer is no limit. */
export const describeRange = (noun: string, min: number, max = Infinity): string =>
  max >= Number.MAX_SAFE_INTEGER ? `${noun} ≥ ${min}` : `${noun} from ${min} to ${max}`
