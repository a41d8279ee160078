/**
 * Counts the entries that were added to a log between two views of it. Both views show the last entries, up to the same
 * number. If they have nothing in common, for example after a reset, all entries count as added.
 */
export const countAdded = (before: readonly string[], after: readonly string[]): number => {
  if (after.length < before.length) return after.length
  for (let added = after.length - before.length; added < after.length; added++) {
    const dropped = before.length - (after.length - added)
    if (before.slice(dropped).every((entry, i) => entry === after[i])) return added
  }
  return after.length
}
