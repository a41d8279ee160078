/** Ids that are taken. */
export interface Ids {
  has(id: string): boolean
  /** These and others; these stay as they are. It takes as long as there are others, not as there are these. */
  with(others: ReadonlySet<string>): Ids
}

/**
 * Ids in sets, each more than twice as large as the next one. Others start as a set of their own, and small sets become
 * one as they pile up: an id moves a few times in its life, and there are never many sets to ask.
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
