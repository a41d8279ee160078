/**
 * How many entries at the end of a log are new since it was last looked at. Both looks show the end of the log, up to
 * so many entries. Where they have nothing in common, such as after a reset, all are new.
 */
export const countArrivals = (before: readonly string[], after: readonly string[]): number => {
  if (after.length < before.length) return after.length
  for (let added = after.length - before.length; added < after.length; added++) {
    const dropped = before.length - (after.length - added)
    if (before.slice(dropped).every((entry, i) => entry === after[i])) return added
  }
  return after.length
}
