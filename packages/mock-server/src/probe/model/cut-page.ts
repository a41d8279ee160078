import type { Item, LedgerCopy } from './ledger-copy.ts'
import type { Ordered } from './order-items.ts'
import { orderUsers, type OrderTest } from './order-users.ts'
import type { Read } from './parse-request.ts'
import { keptFor } from './kept-results.ts'

/** What a page of list-all contains. */
export interface Page {
  readonly items: readonly Item[]
  /** Each user's transactions in their order. */
  readonly groups: ReadonlyMap<string, Ordered>
  /** What the groups are ordered by. */
  readonly ordered: Ordered
}

/** Which page, and of what size. */
export interface Cut {
  readonly page: number
  readonly limit: number
}

const groupsOf = ({ items, blurs }: Ordered): Map<string, Ordered> => {
  const groups = new Map<string, { items: Item[]; blurs: (readonly [number, number])[] }>()
  const last = new Map<string, readonly [number, number]>()
  let [position, next] = [-1, 0]
  for (const item of items) {
    position++
    const user = item.entry.platformId
    let group = groups.get(user)
    if (!group) groups.set(user, (group = { items: [], blurs: [] }))
    group.items.push(item)
    while (position >= (blurs[next]?.[1] ?? Infinity)) next++
    const blur = position >= (blurs[next]?.[0] ?? Infinity) ? blurs[next] : undefined
    const end = group.items.length
    if (blur && last.get(user) === blur) group.blurs.splice(-1, 1, [group.blurs.at(-1)?.[0] ?? 0, end])
    else if (blur) {
      last.set(user, blur)
      group.blurs.push([end - 1, end])
    }
  }
  return groups
}

/** Part of an order; `undefined` where a cut goes through transactions whose order cannot be known. */
export const sliceOrdered = ({ items, blurs }: Ordered, from: number, to: number): Ordered | undefined => {
  const isCut = (at: number) => blurs.some(([start, end]) => start < at && at < end)
  if (isCut(from) || isCut(to)) return undefined
  const inside = blurs.filter(([start, end]) => start >= from && end <= to)
  return { items: items.slice(from, to), blurs: inside.map(([start, end]) => [start - from, end - from] as const) }
}

const pageOf = (ordered: Ordered): Page => ({ items: ordered.items, groups: groupsOf(ordered), ordered })

const cutUsers = (copy: LedgerCopy, ordered: Ordered, { page, limit }: Cut, read: Read): Page | undefined => {
  const whole = keptFor(ordered, ['whole'], () => pageOf(ordered))
  const [from, to] = [(page - 1) * limit, page * limit]
  if (from === 0 && to >= whole.groups.size) return whole
  if (from >= whole.groups.size) return { items: [], groups: new Map(), ordered: { items: [], blurs: [] } }
  const order = read('groupOrder')
  return keptFor(ordered, ['users', page, limit, order], () => {
    const users = orderUsers(copy, ordered, order)
    if (!Array.isArray(users)) return undefined
    const onPage = new Set<unknown>(users.slice(from, to))
    const groups = new Map([...whole.groups].filter(([user]) => onPage.has(user)))
    const items = [...groups.values()].flatMap((group) => [...group.items])
    return { items, groups, ordered }
  })
}

/** The page of list-all that a request gets; `undefined` where it cannot be known. */
export const cutPage = (
  copy: LedgerCopy,
  match: readonly Item[],
  ordered: Ordered,
  cut: Cut,
  read: Read,
): Page | undefined => {
  if (match.length > 0 && read('pageUnit') === 'group') return cutUsers(copy, ordered, cut, read)
  const { page, limit } = cut
  return keptFor(ordered, ['cut', page, limit], () => {
    const sliced = sliceOrdered(ordered, (page - 1) * limit, page * limit)
    return sliced && pageOf(sliced)
  })
}

/** The order of the groups of such a page. */
export const usersOf = (copy: LedgerCopy, page: Page, read: Read): readonly string[] | OrderTest | undefined => {
  const users = [...page.groups.keys()]
  if (users.length < 2) return users
  const order = read('groupOrder')
  return keptFor(page.groups, [order], () => {
    const all = keptFor(page.ordered, ['order', order], () => orderUsers(copy, page.ordered, order))
    return Array.isArray(all) ? all.filter((user: string) => page.groups.has(user)) : all
  })
}
