import {
  assume,
  loadLedger,
  recordReads,
  respond,
  type AssumptionKey,
  type Assumptions,
  type LoadedLedger,
  type ModelRequest,
} from '@guild-ledger/mock-server/assumptions'
import type { Endpoint, GuildResponse, LedgerEntry } from '@guild-ledger/sdk/contract'
import { Aspects, aspectsOf, fields, isOfSort, isSameIn, type Aspect, type Part } from './aspects.ts'
import type { Solution, Value } from './domains.ts'

const defaults = assume()

/**
 * The order as given, then user by user, backwards and forwards. In the last two, any two transactions, and any two users, are
 * in both orders, whatever a request leaves out.
 */
const reordered = (entries: readonly LedgerEntry[], order: number): LedgerEntry[] => {
  const places = new Map([...new Set(entries.map(({ platformId }) => platformId))].map((user, i) => [user, i]))
  const placeOf = ({ platformId }: LedgerEntry) => places.get(platformId) ?? 0
  const byUser = order === 0 ? [...entries] : entries.toSorted((a, b) => placeOf(a) - placeOf(b))
  return order === 1 ? byUser.toReversed() : byUser
}

/** Digits below a second that responses do not show: all the same, or rising and falling user by user. */
const withDigits = (entries: readonly LedgerEntry[], digits: number): LedgerEntry[] => {
  const places = new Map(reordered(entries, 2).map((entry, i) => [entry, i]))
  return entries.map((entry) => {
    const rising = Math.floor(((places.get(entry) ?? 0) * 1000) / entries.length)
    const second = Math.floor(Date.parse(entry.createdAt) / 1000) * 1000
    return { ...entry, createdAt: new Date(second + ([0, 999, rising][digits] ?? 999 - rising)).toISOString() }
  })
}

/** What a part of a mock's response is, and the assumptions that it depends on. */
export interface Prediction {
  readonly expected: Aspects
  readonly reads: readonly AssumptionKey[]
}

const isByEntry = (reads: readonly AssumptionKey[], solution: Solution): boolean =>
  reads.some((key) => solution[key] === 'ledger')

/** What is known for the combinations of values that were tried: which assumption is read next, and what follows. */
class Tree {
  #key: AssumptionKey | undefined
  #leaf: Prediction | undefined
  readonly #next = new Map<Value | undefined, Tree>()

  find(solution: Solution): Prediction | undefined {
    return this.#key === undefined ? this.#leaf : this.#next.get(solution[this.#key])?.find(solution)
  }

  add([key, ...keys]: readonly AssumptionKey[], solution: Solution, leaf: Prediction): Prediction {
    this.#key = key
    if (key === undefined) return (this.#leaf = leaf)
    const value = solution[key]
    const next = this.#next.get(value) ?? new Tree()
    this.#next.set(value, next)
    return next.add(keys, solution, leaf)
  }
}

/**
 * A ledger as it was read, in several variants: neither the order in which transactions entered it nor digits of times that
 * responses leave out are visible. Where the variants respond differently, nothing is known.
 */
export class Copy {
  readonly entries: readonly LedgerEntry[]
  readonly #hidesDigits: boolean
  readonly #ledgers: LoadedLedger[] = []
  readonly #plain: Readonly<Record<Endpoint, ModelRequest>>
  readonly #known = new WeakMap<ModelRequest, Record<string, Tree>>()
  readonly #before = new WeakMap<ModelRequest, Record<number, ModelRequest>>()

  constructor(entries: readonly LedgerEntry[], hidesDigits: boolean) {
    this.entries = entries
    this.#hidesDigits = hidesDigits
    this.#plain = { guild: { endpoint: 'guild' }, user: { endpoint: 'user', platformId: entries[0]?.platformId ?? '' } }
  }

  /** An ordinary request to the same endpoint; each time the same object. */
  plain({ endpoint }: ModelRequest): ModelRequest {
    return this.#plain[endpoint]
  }

  /**
   * A part of what a mock with this ledger responds, each time the same object for what is read. The first order is that in
   * which the transactions were given.
   */
  predict(request: ModelRequest, solution: Solution, part: Part, order = 0, digits = 0): Prediction {
    const trees = this.#known.get(request) ?? {}
    this.#known.set(request, trees)
    const tree = (trees[`${part} ${order} ${digits}`] ??= new Tree())
    const known = tree.find(solution)
    if (known) return known
    const entries = () => (this.#hidesDigits ? withDigits(this.entries, digits) : this.entries)
    const ledger = (this.#ledgers[order * 4 + digits] ??= loadLedger(reordered(entries(), order)))
    const read = new Set<AssumptionKey>()
    const { status, body } = respond(ledger, request, recordReads({ ...defaults, ...solution } as Assumptions, read))
    const expected = new Aspects(status, status === 200 ? { [part]: (body as GuildResponse)[part] } : {})
    return tree.add([...read], solution, { expected, reads: [...read] })
  }

  /** The assumptions on which a part, and what is hidden of it, depend. */
  readsOf(request: ModelRequest, solution: Solution, part: Part): readonly AssumptionKey[] {
    const found = [...this.#variants(request, solution, part)]
    if (found.length > 1 && part !== 'pagination')
      for (const page of [request, this.#pageBefore(request, solution)])
        found.push(...this.#variants(page, solution, 'data'))
    return found.flatMap(({ reads }) => reads)
  }

  /** Aspects of a part that depend on what the ledger does not show. */
  hidden(
    request: ModelRequest,
    solution: Solution,
    part: Part,
    among: readonly Aspect[] = aspectsOf[part],
  ): ReadonlySet<Aspect> {
    const { expected, reads } = this.predict(request, solution, part)
    const hidden = new Set<Aspect>()
    // Whether there is a page at all does not depend on an order.
    if (!this.#hidesDigits && (!isByEntry(reads, solution) || among.join() === 'status')) return hidden
    for (const other of this.#variants(request, solution, part)) {
      const isReordered = !isSameIn('order', expected, other.expected)
      for (const aspect of among) {
        const isTied = isReordered && aspect in fields && !isOfSort(aspect, request, solution)
        if (isTied || !isSameIn(aspect, expected, other.expected)) hidden.add(aspect)
      }
      if (hidden.size === among.length) return hidden
    }
    // Where other transactions may be on the page, the variants do not show everything that it may have. Page numbers and
    // totals do not depend on what is on it.
    if (part === 'pagination' || among.every((aspect) => aspect === 'status' || hidden.has(aspect))) return hidden
    if (!this.#mayHaveOthers(request, solution) && !this.#mayHaveOthers(this.#pageBefore(request, solution), solution))
      return hidden
    // How many users a page of users has, or transactions one of transactions, does not depend on an order.
    const countsUsers = request.endpoint === 'guild' && solution.pageUnit === 'group'
    const known = countsUsers
      ? ['status', 'userCount', 'uniqueUsers']
      : ['status', 'transactionCount', 'totalTransactions']
    const isKnown = (aspect: Aspect) =>
      known.includes(aspect) || (request.endpoint === 'user' && isOfSort(aspect, request, solution))
    for (const aspect of among) if (!isKnown(aspect)) hidden.add(aspect)
    return hidden
  }

  /** Whether other transactions may be on a page. In the middle of equal values, the page before shows it. */
  #mayHaveOthers(request: ModelRequest, solution: Solution): boolean {
    const { expected } = this.predict(request, solution, 'data')
    return [...this.#variants(request, solution, 'data')].some((one) => !isSameIn('items', expected, one.expected))
  }

  /** The page before that of the response: a page that is too high may count as another. Each time the same object. */
  #pageBefore(request: ModelRequest, solution: Solution): ModelRequest {
    const page = Number(this.predict(request, solution, 'pagination').expected.of('page'))
    if (!(page > 1)) return request
    const known = this.#before.get(request) ?? {}
    this.#before.set(request, known)
    return (known[page] ??= { ...request, query: { ...request.query, page: String(page - 1) } })
  }

  /** What the variants respond, one after the other. */
  *#variants(request: ModelRequest, solution: Solution, part: Part): Generator<Prediction> {
    const first = this.predict(request, solution, part)
    yield first
    for (const order of isByEntry(first.reads, solution) ? [1, 2] : [0])
      for (const digits of this.#hidesDigits ? [0, 1, 2, 3] : [0])
        if (order + digits > 0) yield this.predict(request, solution, part, order, digits)
  }
}
