import { cutPage, sliceOrdered, type Page } from './cut-page.ts'
import type { Item, LedgerCopy } from './ledger-copy.ts'
import { orderItems, type Ordered } from './order-items.ts'
import { parseRequest, type Outcome, type Parsed, type Read } from './parse-request.ts'
import type { ProbeRequest } from './probe-request.ts'
import { selectInWindow, selectItems } from './select-items.ts'
import { cached, keptFor } from './kept-results.ts'

/** What a prediction starts from. */
export interface Setting {
  readonly copy: LedgerCopy
  /** Pages up to this one are known to be valid. */
  readonly knownPage: number
}

/** How many users have one of these transactions. */
export const usersIn = cached(
  (items: readonly Item[]): number => new Set(items.map(({ entry }) => entry.platformId)).size,
)
/** The same string for the same transactions in any order. */
export const keyOf = cached((items: readonly Item[]): string =>
  items
    .map(({ index }) => index)
    .toSorted((a, b) => a - b)
    .join(),
)

/** A request and the values of a service, and what is computed from them when an aspect needs it. */
export class Context {
  readonly request: ProbeRequest
  readonly copy: LedgerCopy
  readonly read: Read
  readonly outcome: Outcome
  #match: { readonly items: readonly Item[] | undefined } | undefined
  #ordered: Ordered | undefined
  #page: { readonly page: Page | undefined } | undefined

  constructor(request: ProbeRequest, { copy, knownPage }: Setting, read: Read) {
    this.request = request
    this.copy = copy
    this.read = read
    this.outcome = parseRequest(request, read, knownPage)
  }

  get isUser(): boolean {
    return this.request.user !== null
  }

  limit({ limit }: Parsed): number {
    return limit ?? (this.isUser ? (this.read('userLimit') as number) : 20)
  }

  sorted({ sortBy, sortOrder }: Parsed): { sortBy: string; sortOrder: string } {
    return {
      sortBy: sortBy ?? (this.isUser ? String(this.read('userSortBy')) : 'createdAt'),
      sortOrder: sortOrder ?? (this.isUser ? String(this.read('userSortOrder')) : 'desc'),
    }
  }

  match(parsed: Parsed): readonly Item[] | undefined {
    this.#match ??= { items: selectItems(this.copy, this.request.user, parsed, this.read) }
    return this.#match.items
  }

  /** Whether something matches, if it is not known what. */
  matchesInWindow(parsed: Parsed): boolean {
    return !this.isUser && (selectInWindow(this.copy, parsed, this.read) ?? []).length > 0
  }

  /** What pages are cut of: users or transactions. */
  units(match: readonly Item[]): number {
    if (this.isUser) return match.length
    const users = usersIn(match)
    return users !== match.length && this.read('pageUnit') === 'group' ? users : match.length
  }

  total(match: readonly Item[]): number {
    if (this.isUser) return match.length
    const users = usersIn(match)
    if (users === match.length) return users
    return (this.read('pageUnit') === 'group') === (this.read('totalUnit') === 'page-unit') ? users : match.length
  }

  page(parsed: Parsed, match: readonly Item[]): Page | undefined {
    this.#page ??= { page: cutPage(this.copy, match, this.ordered(parsed, match), this.cut(parsed), this.read) }
    return this.#page.page
  }

  cut({ page, limit }: Parsed): { page: number; limit: number } {
    return { page, limit: limit ?? this.limit({ page }) }
  }

  /** Everything that matches in the order of the sort. */
  ordered(parsed: Parsed, match: readonly Item[]): Ordered {
    this.#ordered ??= orderItems(this.copy, match, this.sorted(parsed), this.read)
    return this.#ordered
  }

  /** A page of one user. */
  userPage(parsed: Parsed, match: readonly Item[]): Ordered | undefined {
    const { page, limit } = this.cut(parsed)
    const from = (page - 1) * limit
    const ordered = this.ordered(parsed, match)
    return keptFor(ordered, ['user', from, limit], () => sliceOrdered(ordered, from, from + limit))
  }
}
