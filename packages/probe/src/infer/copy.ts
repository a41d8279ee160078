import {
  loadLedger,
  recordReads,
  respond,
  type AssumptionKey,
  type LoadedLedger,
  type ModelRequest,
  type ModelResponse,
} from '@guild-ledger/mock-server/assumptions'
import type { GuildResponse, LedgerEntry } from '@guild-ledger/sdk/contract'
import { Aspects, aspectsOf, isSameIn, type Aspect, type Part } from './aspects.ts'
import { toAssumptions, type Solution, type Value } from './domains.ts'
import { createRandom, shuffled } from './random.ts'

/** With these, two transactions, and two users, are in both orders. */
const variants = 6
/** Where part of the order is known, there is no such pair. */
const variantsOfPart = 14

/** The order of transactions reversed, the order of users reversed, then both at random. */
const reordered = (entries: readonly LedgerEntry[], variant: number): LedgerEntry[] => {
  if (variant === 0) return [...entries]
  if (variant === 1) return entries.toReversed()
  const random = createRandom(variant)
  const all = variant === 2 ? entries : shuffled(entries, random)
  const firsts = new Map(all.toReversed().map((entry) => [entry.platformId, entry]))
  const users = [...new Set(entries.map(({ platformId }) => platformId))]
  const first = (variant === 2 ? users.toReversed() : shuffled(users, random)).flatMap((user) => firsts.get(user) ?? [])
  return [...new Set([...first, ...all])]
}

/** Digits below a second that responses do not show. */
const withDigits = (entries: readonly LedgerEntry[], variant: number): LedgerEntry[] => {
  const random = createRandom(100 + variant)
  return entries.map((entry) => {
    const digits = variant === 0 ? 0 : variant === 1 ? 999 : Math.floor(random() * 1000)
    return {
      ...entry,
      createdAt: new Date(Math.floor(Date.parse(entry.createdAt) / 1000) * 1000 + digits).toISOString(),
    }
  })
}

/** What a part of a mock's response is, and the assumptions that it depends on. */
export interface Prediction {
  readonly expected: Aspects
  readonly reads: readonly AssumptionKey[]
  /** Whether it depends on the order in which transactions entered the ledger. */
  readonly isByEntry: boolean
}

/** What is known for the combinations of values that were tried: which assumption is read next, and what follows. */
class Tree<Leaf> {
  #key: AssumptionKey | undefined
  readonly #next = new Map<Value | undefined, Tree<Leaf>>()
  #leaf: Leaf | undefined

  find(solution: Solution): Leaf | undefined {
    if (this.#key === undefined) return this.#leaf
    return this.#next.get(solution.get(this.#key))?.find(solution)
  }

  add([key, ...keys]: readonly AssumptionKey[], solution: Solution, leaf: Leaf): Leaf {
    this.#key = key
    if (key === undefined) return (this.#leaf = leaf)
    const value = solution.get(key)
    const next = this.#next.get(value) ?? new Tree<Leaf>()
    this.#next.set(value, next)
    return next.add(keys, solution, leaf)
  }
}

/** A response of a mock whose parts are not computed yet. */
interface Started {
  readonly response: ModelResponse
  /** The values that it reads; replaced before a part is computed. */
  readonly values: Record<string, Value>
  readonly read: Set<AssumptionKey>
  /** What was read for the status. */
  readonly reads: readonly AssumptionKey[]
  readonly parts: Readonly<Record<Part, Tree<Prediction>>>
}

/**
 * A ledger as it was read, in several variants: neither the order in which transactions entered it nor digits of times that
 * responses leave out are visible. Where the variants respond differently, nothing is known.
 */
export class Copy {
  readonly entries: readonly LedgerEntry[]
  readonly #hidesDigits: boolean
  readonly #sorted: ((entries: readonly LedgerEntry[]) => readonly LedgerEntry[]) | undefined
  readonly #ledgers: LoadedLedger[] = []
  readonly #plain = new Map<string, ModelRequest>()
  readonly #started: WeakMap<ModelRequest, Tree<Started>>[] = []

  /** `sorted` brings transactions into an order in which they may have entered, where something is known about it. */
  constructor(
    entries: readonly LedgerEntry[],
    hidesDigits: boolean,
    sorted?: (entries: readonly LedgerEntry[]) => readonly LedgerEntry[],
  ) {
    this.entries = entries
    this.#hidesDigits = hidesDigits
    this.#sorted = sorted
  }

  /** The request without parameters; each time the same object. */
  plain({ endpoint, platformId = '' }: ModelRequest): ModelRequest {
    const known = this.#plain.get(platformId) ?? { endpoint, platformId }
    this.#plain.set(platformId, known)
    return known
  }

  #ledger(variant: number): LoadedLedger {
    const ordered = () => reordered(this.#hidesDigits ? withDigits(this.entries, variant) : this.entries, variant)
    return (this.#ledgers[variant] ??= loadLedger(this.#sorted?.(ordered()) ?? ordered()))
  }

  #start(request: ModelRequest, solution: Solution, variant: number): Started {
    const trees = (this.#started[variant] ??= new WeakMap<ModelRequest, Tree<Started>>())
    const tree = trees.get(request) ?? new Tree<Started>()
    trees.set(request, tree)
    const known = tree.find(solution)
    if (known) return known
    const assumptions = toAssumptions(solution)
    const read = new Set<AssumptionKey>()
    const response = respond(this.#ledger(variant), request, recordReads(assumptions, read))
    const parts = { data: new Tree<Prediction>(), pagination: new Tree<Prediction>(), summary: new Tree<Prediction>() }
    const reads = [...read]
    return tree.add(reads, solution, { response, values: assumptions, read, reads, parts })
  }

  /**
   * A part of what a mock with this ledger responds, each time the same object for what is read; the first variant has the
   * order in which the transactions were given.
   */
  predict(request: ModelRequest, solution: Solution, part: Part, variant = 0): Prediction {
    const { response, values, read, reads, parts } = this.#start(request, solution, variant)
    const known = parts[part].find(solution)
    if (known) return known
    for (const [key, value] of solution) values[key] = value
    read.clear()
    const { status, body } = response
    const expected = new Aspects(status, status === 200 ? { [part]: (body as GuildResponse)[part] } : {}, [part])
    const all = [...new Set([...reads, ...read])]
    const isByEntry = all.some((key) => solution.get(key) === 'ledger')
    return parts[part].add([...read], solution, { expected, reads: all, isByEntry })
  }

  /** Aspects of a part that depend on what the ledger does not show. */
  hidden(
    request: ModelRequest,
    solution: Solution,
    part: Part,
    among: readonly Aspect[] = aspectsOf[part],
  ): ReadonlySet<Aspect> {
    const { expected, isByEntry } = this.predict(request, solution, part)
    const hidden = new Set<Aspect>()
    for (const other of this.#others(request, solution, part)) {
      for (const aspect of among) if (!isSameIn(aspect, expected, other.expected)) hidden.add(aspect)
      if (hidden.size === among.length) return hidden
    }
    // Where other transactions may be on the page, a few variants do not show everything that it may have.
    const data = () => this.predict(request, solution, 'data').expected
    const hasOtherItems = () =>
      [...this.#others(request, solution, 'data')].some(({ expected: other }) => !isSameIn('items', data(), other))
    if (
      (isByEntry || this.#hidesDigits) &&
      among.some((aspect) => aspect !== 'status' && !hidden.has(aspect)) &&
      hasOtherItems()
    )
      for (const aspect of among) if (aspect !== 'status') hidden.add(aspect)
    return hidden
  }

  /** What the other variants respond, one after the other; none where all of them respond the same. */
  *#others(request: ModelRequest, solution: Solution, part: Part): Generator<Prediction> {
    if (!this.#hidesDigits && !this.predict(request, solution, part).isByEntry) return
    const count = this.#sorted ? variantsOfPart : variants
    for (let variant = 1; variant < count; variant++) yield this.predict(request, solution, part, variant)
  }
}
