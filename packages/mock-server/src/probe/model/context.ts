import { cutPage, sliceOrdered, type Page } from './cut-page.ts'
import { once, type Item, type LedgerCopy } from './ledger-copy.ts'
import { orderItems, type Ordered } from './order-items.ts'
import { parseQuestion, type Outcome, type Parsed, type Read } from './parse-question.ts'
import type { Question } from './question.ts'
import { selectItems } from './select-items.ts'
import { cached, numberOf } from './weak-cache.ts'

/** What a prediction starts from. */
export interface Setting {
  readonly copy: LedgerCopy
  /** Pages up to this one are known to be valid. */
  readonly knownPage: number
}

/** How many users have one of these transactions. */
export const usersIn = cached((items: readonly Item[]): number => new Set(items.map(({ entry }) => entry.platformId)).size)
/** The same string for the same transactions in any order. */
export const keyOf = cached((items: readonly Item[]): string =>
  items
    .map(({ index }) => index)
    .toSorted((a, b) => a - b)
    .join(),
)

/** A request and the values of a service, and what is computed from them when an aspect needs it. */
export class Context {
  readonly question: Question
  readonly copy: LedgerCopy
  readonly read: Read
  readonly outcome: Outcome

  constructor(question: Question, { copy, knownPage }: Setting, read: Read) {
    this.question = question
    this.copy = copy
    this.read = read
    this.outcome = parseQuestion(question, read, knownPage)
  }

  get isUser(): boolean {
    return this.question.user !== null
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
    return selectItems(this.copy, this.question.user, parsed, this.read)
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
    return cutPage(this.copy, match, { page: parsed.page, limit: this.limit(parsed), ...this.sorted(parsed) }, this.read)
  }

  /** A page of one user. */
  userPage(parsed: Parsed, match: readonly Item[]): Ordered | undefined {
    const limit = this.limit(parsed)
    const from = (parsed.page - 1) * limit
    const ordered = orderItems(this.copy, match, this.sorted(parsed), this.read)
    return once(this.copy, `user ${numberOf(ordered)} ${from} ${limit}`, () => ({
      page: sliceOrdered(ordered, from, from + limit),
    })).page
  }
}

