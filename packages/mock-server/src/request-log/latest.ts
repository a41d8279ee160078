/** The latest items at some time, for `restore`. States share the parts that did not change between them. */
export interface LatestState<Item> {
  /** The items in parts, oldest first. */
  readonly parts: readonly (readonly Item[])[]
  /** How many items of the first part are not among the latest any more. */
  readonly dropped: number
  readonly size: number
}

/** A list of the latest items, oldest first. */
export interface Latest<Item> {
  add(item: Item): void
  /** Replaces the newest item that is meant. Returns whether there is one. */
  replace(isMeant: (item: Item) => boolean, by: (item: Item) => Item): boolean
  items(): Item[]
  /** It is the same object until the list changes. */
  state(): LatestState<Item>
  restore(state: LatestState<Item>): void
}

const partSize = 100

/** Keeps the latest `capacity` items. */
export const createLatest = <Item>(capacity: number): Latest<Item> => {
  let parts: (readonly Item[])[] = []
  /** The last part, as long as no state has it: only this one may grow. */
  let open: Item[] | undefined
  let dropped = 0
  let size = 0
  let known: LatestState<Item> | undefined

  const dropOldest = (): void => {
    size--
    dropped++
    if (dropped < (parts[0]?.length ?? 0)) return
    parts.shift()
    dropped = 0
    if (parts.length === 0) open = undefined
  }

  return {
    add(item) {
      known = undefined
      if (open && open.length < partSize) open.push(item)
      else parts.push((open = [item]))
      size++
      if (size > capacity) dropOldest()
    },
    replace(isMeant, by) {
      for (let i = parts.length - 1; i >= 0; i--) {
        const part = parts[i] ?? []
        const place = part.findLastIndex(isMeant)
        const item = part[place]
        if (item === undefined || (i === 0 && place < dropped)) continue
        const changed = part.with(place, by(item))
        if (part === open) open = changed
        parts[i] = changed
        known = undefined
        return true
      }
      return false
    },
    items: () => parts.flat().slice(dropped),
    state() {
      open = undefined
      return (known ??= { parts: [...parts], dropped, size })
    },
    restore(state) {
      parts = [...state.parts]
      ;({ dropped, size } = state)
      open = undefined
      known = state
    },
  }
}
