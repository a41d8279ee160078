/** The value at this share of all values in order: 0.5 is the median. */
export const quantile = (values: ArrayLike<number>, share: number): number =>
  Float64Array.from(values).toSorted()[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const median = (values: ArrayLike<number> = []): number => quantile(values, 0.5)
