/** An item, and the group of which a row may have one only. */
interface Item {
  readonly key: string
}

/**
 * Rows of items in which every two items of different groups occur together at least once. Rows are short: with many
 * changes at once, one often hides the effect of another. A greedy search: each row starts with two items that have not
 * met, and takes the item that has yet to meet most of the others in the row.
 */
export const pairRows = <One extends Item>(items: readonly One[], length: number): One[][] => {
  const met = items.map(() => new Set<number>())
  const mayMeet = (a: number, b: number) => items[a]?.key !== items[b]?.key && !met[a]?.has(b)
  const fits = (row: readonly number[], at: number) => row.every((other) => items[other]?.key !== items[at]?.key)
  const indices = items.map((_item, at) => at)
  const rows: One[][] = []
  for (const first of indices) {
    for (let second = first + 1; second < items.length; second++) {
      if (!mayMeet(first, second)) continue
      const row = [first, second]
      while (row.length < length) {
        const scores = indices.map((at) => (fits(row, at) ? row.filter((other) => mayMeet(at, other)).length : 0))
        const best = Math.max(...scores)
        if (best === 0) break
        row.push(scores.indexOf(best))
      }
      for (const at of row) for (const other of row) if (at !== other) met[at]?.add(other)
      rows.push(row.flatMap((at) => items[at] ?? []))
    }
  }
  return rows
}
