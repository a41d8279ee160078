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
import { endpoints, type Endpoint, type GuildResponse, type LedgerEntry } from '@guild-ledger/sdk/contract'
import {
  Aspects,
  aspectsOf,
  aspectsOfSort,
  fields,
  firstAspect,
  isOfPage,
  isSameIn,
  pageAspect,
  type Aspect,
  type Part,
} from './aspects.ts'
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

const isOfOneUser = ({ endpoint, query }: ModelRequest): boolean =>
  endpoint === 'user' || typeof query?.['platformId'] === 'string'

/** What is known for the combinations of values that were tried: which assumption is read next, and what follows. */
class Tree {
  key: AssumptionKey | undefined
  prediction: Prediction | undefined
  readonly #next = new Map<Value | undefined, Tree>()

  /** What is known if an assumption is read next. */
  after(key: AssumptionKey, solution: Solution): Tree {
    this.key = key
    const value = solution[key]
    const known = this.#next.get(value)
    if (known) return known
    const next = new Tree()
    this.#next.set(value, next)
    return next
  }
}

/** What was predicted for a request. Different values often lead to the same response, which is kept once. */
class Predictions {
  readonly trees: Record<string, Tree> = {}
  readonly responses: Record<string, Aspects> = {}
}

/**
 * A ledger as it was read, in several variants: neither the order in which transactions entered it nor digits of times that
 * responses leave out are visible. Where the variants respond differently, nothing is known.
 */
export class Copy {
  readonly entries: readonly LedgerEntry[]
  /** Whether responses hide digits below a second. */
  readonly hidesDigits: boolean
  readonly #ledgers: LoadedLedger[] = []
  /** An ordinary request to each endpoint. */
  readonly plain: Readonly<Record<Endpoint, ModelRequest>>
  readonly #predictions = new WeakMap<ModelRequest, Predictions>()

  constructor(entries: readonly LedgerEntry[]) {
    this.entries = entries
    this.hidesDigits = entries[0]?.createdAt.includes('.') === false
    const platformId = entries[0]?.platformId ?? ''
    const plain = endpoints.map((endpoint) => [endpoint, { endpoint, platformId }])
    this.plain = Object.fromEntries(plain) as Record<Endpoint, ModelRequest>
  }

  /**
   * A part of what a mock with a variant of this ledger responds: the same object for the same response. In the first variant,
   * the transactions have the order in which they were given.
   */
  predict(request: ModelRequest, solution: Solution, part: Part, variant = 0, page?: number): Prediction {
    let known = this.#predictions.get(request)
    if (!known) this.#predictions.set(request, (known = new Predictions()))
    const place = variant === 0 && page === undefined ? part : `${part} ${variant} ${page}`
    const root = (known.trees[place] ??= new Tree())
    let tree = root
    while (tree.key !== undefined) tree = tree.after(tree.key, solution)
    if (tree.prediction) return tree.prediction
    const [order, digits] = [Math.floor(variant / 4), variant % 4]
    const entries = () => (this.hidesDigits ? withDigits(this.entries, digits) : this.entries)
    const ledger = (this.#ledgers[variant] ??= loadLedger(reordered(entries(), order)))
    const read = new Set<AssumptionKey>()
    const assumptions = recordReads({ ...defaults, ...solution } as Assumptions, read)
    const asked = page === undefined ? request : { ...request, query: { ...request.query, page: String(page) } }
    const { status, body } = respond(ledger, asked, assumptions, [part])
    const fresh = new Aspects(status, status === 200 ? { [part]: (body as GuildResponse)[part] } : {})
    const expected = (known.responses[fresh.text] ??= fresh)
    tree = root
    for (const key of read) tree = tree.after(key, solution)
    return (tree.prediction = { expected, reads: [...read] })
  }

  /** The assumptions on which a part, and what is hidden of it, depend. */
  readsOf(request: ModelRequest, solution: Solution, part: Part): readonly AssumptionKey[] {
    const found = [...this.#variants(request, solution, part)]
    if (found.length > 1 && part !== 'pagination')
      for (const page of this.#pages(request, solution)) found.push(...this.#variants(request, solution, 'data', page))
    return found.flatMap(({ reads }) => reads)
  }

  /** The aspects of a part that are known: they are the same in every variant of the ledger. */
  shown(
    request: ModelRequest,
    solution: Solution,
    part: Part,
    among: readonly Aspect[] = aspectsOf[part],
  ): readonly Aspect[] {
    const { expected, reads } = this.predict(request, solution, part)
    // Whether there is a page at all does not depend on an order.
    if (!this.hidesDigits && (!isByEntry(reads, solution) || among.join() === 'status')) return among
    let shown = among
    const ofSort: readonly Aspect[] = aspectsOfSort(request, solution)
    for (const { expected: other } of this.#variants(request, solution, part)) {
      const isTied = (aspect: Aspect) =>
        aspect in fields && !isSameIn('order', expected, other) && !ofSort.includes(aspect)
      shown = shown.filter((aspect) => isSameIn(aspect, expected, other) && !isTied(aspect))
      if (shown.length === 0) return shown
    }
    // Where other transactions may be on the page, the variants do not show everything that it may have. Page numbers and
    // totals do not depend on what is on it.
    if (part === 'pagination' || shown.join() === 'status') return shown
    if (!this.#pages(request, solution).some((page) => this.#mayHaveOthers(request, solution, page)))
      return shown.filter((aspect) => !isOfPage(aspect))
    const known: readonly Aspect[] = this.#knownOfAnyPage(request, solution)
    return shown.filter(
      (aspect) => aspect === 'status' || known.includes(aspect) || (isOfOneUser(request) && ofSort.includes(aspect)),
    )
  }

  /** What is known of a page, whichever of equal transactions are on it: how many there are, and what they are sorted by. */
  #knownOfAnyPage(request: ModelRequest, solution: Solution): readonly Aspect[] {
    const ofSort = aspectsOfSort(request, solution)
    if (request.endpoint === 'guild' && solution.pageUnit === 'group') {
      const firsts = solution.groupOrder === 'first-transaction' ? ofSort.map(firstAspect) : []
      return ['userCount', 'uniqueUsers', ...firsts]
    }
    return ['transactionCount', 'totalTransactions', ...ofSort.map(pageAspect)]
  }

  /** Whether other transactions may be on a page. */
  #mayHaveOthers(request: ModelRequest, solution: Solution, page?: number): boolean {
    const { expected } = this.predict(request, solution, 'data', 0, page)
    return this.#variants(request, solution, 'data', page).some((one) => !isSameIn('items', expected, one.expected))
  }

  /** A page and the one before: in the middle of equal values, only the one before may differ between the variants. */
  #pages(request: ModelRequest, solution: Solution): readonly (number | undefined)[] {
    // A page that is too high may count as another.
    const page = Number(this.predict(request, solution, 'pagination').expected.of('page'))
    return page > 1 ? [undefined, page - 1] : [undefined]
  }

  /** What the variants respond, one after the other. */
  *#variants(request: ModelRequest, solution: Solution, part: Part, page?: number): Generator<Prediction> {
    const first = this.predict(request, solution, part, 0, page)
    yield first
    for (const order of isByEntry(first.reads, solution) ? [1, 2] : [0])
      for (const digits of this.hidesDigits ? [0, 1, 2, 3] : [0])
        if (order + digits > 0) yield this.predict(request, solution, part, order * 4 + digits, page)
  }
}
