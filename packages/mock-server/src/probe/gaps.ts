import type { Item } from './model/ledger-copy.ts'

/** A time that no transaction has, not even with the digits that responses hide: after this part of them. */
export const gapAfter = (items: readonly Item[], part: number, hiddenMs: number): number | undefined => {
  for (let i = Math.floor(items.length * part); i + 1 < items.length; i++) {
    const [at = 0, next = 0] = [items[i]?.at, items[i + 1]?.at]
    const time = Math.floor(at) + hiddenMs + 1
    if (next > time) return time
  }
  return undefined
}
