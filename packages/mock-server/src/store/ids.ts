/** A set of ids that never changes. */
export interface Ids {
  has(id: string): boolean
  /** A set with more ids. The time it takes depends on the number of `others`, not on the size of this set. */
  with(others: ReadonlySet<string>): Ids
}

/**
 * Ids in several sets, each more than twice as large as the next one. New ids start as a set of their own, and small sets
 * are merged into larger ones: each id is copied a few times at most, and there are few sets to search.
 */
const inSets = (sets: readonly ReadonlySet<string>[]): Ids => ({
  has: (id) => sets.some((set) => set.has(id)),
  with(others) {
    const larger = [...sets]
    let added = others
    for (let last = larger.at(-1); last && last.size <= 2 * added.size; last = larger.at(-1)) {
      added = new Set([...last, ...added])
      larger.pop()
    }
    return inSets([...larger, added])
  },
})

export const noIds: Ids = inSets([])
