/** A list of the latest items, oldest first. */
export interface Latest<Item> {
  add(item: Item): void
  /** Replaces the newest item that is meant. Returns whether there is one. */
  replace(isMeant: (item: Item) => boolean, by: (item: Item) => Item): boolean
  /** A copy. */
  items(): Item[]
  /** Goes back to what `items` returned. */
  restore(items: readonly Item[]): void
}

/** Keeps the latest `capacity` items. */
export const createLatest = <Item>(capacity: number): Latest<Item> => {
  let items: Item[] = []
  return {
    add(item) {
      items.push(item)
      if (items.length > capacity) items.shift()
    },
    replace(isMeant, by) {
      const place = items.findLastIndex(isMeant)
      const item = items[place]
      if (item !== undefined) items[place] = by(item)
      return item !== undefined
    },
    items: () => [...items],
    restore(earlier) {
      items = [...earlier]
    },
  }
}
