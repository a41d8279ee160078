import { GuildLedgerError } from '@guild-ledger/sdk'
import type { GuildQuery, LedgerEntry } from '@guild-ledger/sdk/contract'
import { groupsOf } from '../infer/aspects.ts'
import { Copy } from '../infer/copy.ts'
import { byTime, checked, isSame } from './entry.ts'
import type { Service } from './service.ts'

/** The newest and the oldest transactions that are read again to see whether the ledger changed. */
const lookBack = 100
/** With more new and removed transactions than these, finding out what a response was about takes too long. */
const maxChanged = 2

/** A service may reject a page that is too high, or end in other ways: what came before is known. */
const endCodes: ReadonlySet<string> = new Set(['bad_request', 'pagination_stalled', 'http_error', 'not_found'])

/** Where changes may show: among the newest transactions, also among the oldest, or anywhere. */
export type Place = 'newest' | 'oldest' | 'all'

/** The ledger of the service, as far as it was read. It may change meanwhile. */
export class Ledger {
  /** Why nothing can be inferred from it; `undefined` if something can. */
  unusable: string | undefined
  /** Where the ledger is too large to be read, up to a time between two transactions, at which nothing happens. */
  window: { readonly endDate: string } | undefined
  /** Whether the ledger changed after it was read. */
  hasChanged = false
  /** Whether the first change removed nothing. */
  #onlyGrows = false
  readonly #service: Service
  #isGrouped: boolean | undefined
  /** Whether one pass does not list everything: the service rejected a page, or a second pass found more. */
  #endsEarly = false
  #looks = 0
  #byId = new Map<string, LedgerEntry>()
  readonly #removed = new Set<LedgerEntry>()
  #copy: Copy | undefined

  constructor(service: Service) {
    this.#service = service
  }

  get entries(): readonly LedgerEntry[] {
    return this.copy.entries
  }

  get size(): number {
    return this.#byId.size - this.#removed.size
  }

  get copy(): Copy {
    const entries = () => [...this.#byId.values()].filter((entry) => !this.#removed.has(entry)).toSorted(byTime)
    return (this.#copy ??= new Copy(entries()))
  }

  #add(entry: LedgerEntry): boolean {
    const known = this.#byId.get(entry.transactionId)
    if (known && (!isSame(known, entry) || this.#removed.has(known)))
      this.unusable ??= 'a transaction was edited, or came back after it was removed'
    if (known) return false
    this.#byId.set(entry.transactionId, entry)
    this.#copy = undefined
    return true
  }

  /** Reads transactions in the order of their times, up to the first page that the service rejects. */
  async #pass(sortOrder: 'asc' | 'desc', most: number, more: GuildQuery = {}): Promise<LedgerEntry[]> {
    const found: LedgerEntry[] = []
    const query: GuildQuery = { sortBy: 'createdAt', sortOrder, ...this.window, ...more }
    try {
      for await (const entry of this.#service.entries(query, most)) found.push(checked(entry))
    } catch (error) {
      if (!GuildLedgerError.is(error) || !endCodes.has(error.code) || found.length === 0) throw error
      this.#endsEarly = true
    }
    return found
  }

  /**
   * Why what was read is not the whole ledger, if the totals of the service say so. A service may count a little
   * differently, and may count users. One that lists much less than it counts ends early.
   */
  #missing(totals: readonly unknown[]): string | undefined {
    const counts = totals.filter((total) => typeof total === 'number')
    const [most, total = 0] = [Math.max(0, ...counts), counts.at(-1)]
    const isBelow = (count: number, other: number) => other > count * 1.05 + 2
    if (isBelow(this.size, most)) return `it has ${most} transactions, and lists only ${this.size}`
    const users = new Set(this.entries.map(({ platformId }) => platformId)).size
    const isOfNeither = this.#endsEarly && isBelow(users, total) && isBelow(total, this.size)
    return isOfNeither ? `it counts ${total}, and lists ${this.size} transactions of ${users} users` : undefined
  }

  /** Reads oldest first; where pages end early, it goes on by date. `totals` is what the service may count in all. */
  async read(maxTransactions: number, totals: readonly unknown[] = []): Promise<void> {
    let more: GuildQuery = {}
    for (;;) {
      const before = this.size
      const pass = await this.#pass('asc', maxTransactions + 1, more)
      for (const entry of pass) this.#add(entry)
      if (this.size > maxTransactions) return this.#narrow(maxTransactions)
      this.#endsEarly ||= before > 0 && this.size > before
      if (this.size === before || totals.includes(this.size)) {
        this.unusable ??= this.#missing(totals)
        return
      }
      more = { startDate: new Date((await this.#edgeOf(pass)) - 1).toISOString() }
    }
  }

  /** Whether pages count users, so that a page has all transactions of each. */
  async #areGrouped(): Promise<boolean> {
    if (this.#isGrouped !== undefined) return this.#isGrouped
    const byUser = Map.groupBy(this.#byId.values(), (entry) => entry.platformId)
    const [[platformId, { length }] = ['', []]] = [...byUser].toSorted(([, x], [, y]) => y.length - x.length)
    if (length < 2) return false
    const { body } = await this.#service.ask({ endpoint: 'guild', query: { platformId, limit: '1', ...this.window } })
    return (this.#isGrouped = groupsOf(body).some(({ transactions }) => transactions.length > 1))
  }

  /** The time up to which a pass in order of time has everything: where pages count users, others may come later. */
  async #edgeOf(pass: readonly LedgerEntry[]): Promise<number> {
    const byUser = Map.groupBy(pass, ({ platformId }) => platformId)
    const last = (await this.#areGrouped()) ? [...byUser.values()].at(-1)?.[0] : pass.at(-1)
    return Date.parse(last?.createdAt ?? '')
  }

  /** Keeps the oldest transactions, up to a gap between two, so that later ones do not change the responses. */
  #narrow(maxTransactions: number): void {
    const entries = this.entries.slice(0, Math.min(1000, Math.floor(maxTransactions / 2)))
    const times = entries.map(({ createdAt }) => Date.parse(createdAt))
    const gap = times.findLastIndex((time, i) => i > 0 && time - (times[i - 1] ?? time) > 2000)
    if (gap < 1) {
      this.unusable =
        'the ledger is too large, and its oldest transactions are too close together: raise maxTransactions'
      return
    }
    this.window = { endDate: new Date(Math.floor(((times[gap] ?? 0) + (times[gap - 1] ?? 0)) / 2)).toISOString() }
    this.#byId = new Map(entries.slice(0, gap).map((entry) => [entry.transactionId, entry]))
    this.#copy = undefined
  }

  /**
   * Looks at a part of the ledger. Takes what is new, and drops what is gone; returns both, and whether it saw the whole
   * ledger.
   */
  async #look(at: Place): Promise<{ changed: LedgerEntry[]; isWhole: boolean }> {
    const before = this.entries
    const limit = lookBack - (this.#looks++ % 10)
    // Of equal times, and where pages have whole groups, the newest may come last. A cache would answer the same request again.
    const areTied = before.at(-1)?.createdAt === before.at(-limit)?.createdAt
    const most = at === 'all' || areTied || (await this.#areGrouped()) ? this.size + 1000 : limit
    const found = await this.#pass(at === 'oldest' ? 'asc' : 'desc', most, { limit })
    if (before.length > 0 && !found.some(({ transactionId }) => this.#byId.has(transactionId)))
      this.unusable ??= 'too many transactions were added or removed meanwhile'
    const ids = new Set(found.map(({ transactionId }) => transactionId))
    const missing = before.filter(({ transactionId }) => !ids.has(transactionId))
    const isWhole = found.length < most && !this.#endsEarly
    const edge = missing.length === 0 ? 0 : await this.#edgeOf(found)
    const isSeen = ({ createdAt }: LedgerEntry) =>
      isWhole || (at === 'oldest' ? Date.parse(createdAt) < edge : Date.parse(createdAt) > edge)
    const gone = missing.filter(isSeen)
    for (const entry of gone) this.#removed.add(entry)
    const changed = found.filter((entry) => this.#add(entry)).concat(gone)
    if (changed.length > 0) this.#copy = undefined
    return { changed, isWhole }
  }

  /**
   * Looks for changes among the newest transactions, then at another place: the oldest, unless the first change removed
   * nothing. Returns the ledgers that may have been in force since the last look; none if they are too many.
   */
  async refresh(at: Place = this.#onlyGrows ? 'newest' : 'oldest'): Promise<Copy[]> {
    const before = this.entries
    const { changed, isWhole } = await this.#look('newest')
    const { changed: others } = isWhole || at === 'newest' ? { changed: [] } : await this.#look(at)
    // Responses since the last such look may have been about any of these.
    if (others.length > 0 && this.#onlyGrows)
      this.unusable ??= 'it changes elsewhere than among its newest transactions'
    changed.push(...others)
    if (changed.length === 0) return [this.copy]
    if (!this.hasChanged) this.#onlyGrows = !changed.some((entry) => before.includes(entry))
    this.hasChanged = true
    if (changed.length > maxChanged) return []
    return Array.from({ length: 2 ** changed.length }, (_, bits) => {
      const some = new Set(changed.filter((_entry, i) => (bits >> i) & 1))
      if (some.size === changed.length) return this.copy
      return new Copy([...some.symmetricDifference(new Set(before))].toSorted(byTime))
    })
  }

  /** Whether a page shows that the copy is out of date. */
  isNews(entries: readonly LedgerEntry[]): boolean {
    return entries.some((entry) => !isSame(this.#byId.get(entry.transactionId), entry))
  }
}
