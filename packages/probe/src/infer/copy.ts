import {
  loadLedger,
  respond,
  type Assumptions,
  type LoadedLedger,
  type ModelRequest,
} from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createRandom, shuffled } from './random.ts'
import { Aspects } from './aspects.ts'

const variants = 6

const reordered = (entries: readonly LedgerEntry[], variant: number): LedgerEntry[] =>
  variant === 0 ? [...entries] : variant === 1 ? entries.toReversed() : shuffled(entries, createRandom(variant))

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

/**
 * A ledger as it was read, in several variants: neither the order in which transactions entered it nor digits of times that
 * responses leave out are visible. Where the variants respond differently, nothing is known.
 */
export class Copy {
  readonly entries: readonly LedgerEntry[]
  readonly #hidesDigits: boolean
  readonly #sorted: ((entries: readonly LedgerEntry[]) => readonly LedgerEntry[]) | undefined
  readonly #ledgers: LoadedLedger[] = []

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

  #ledger(variant: number): LoadedLedger {
    const ordered = () => reordered(this.#hidesDigits ? withDigits(this.entries, variant) : this.entries, variant)
    return (this.#ledgers[variant] ??= loadLedger(this.#sorted?.(ordered()) ?? ordered()))
  }

  /** What a mock with this ledger responds; the first variant has the order in which the transactions were given. */
  respond(request: ModelRequest, assumptions: Assumptions, variant = 0): Aspects {
    const { status, body } = respond(this.#ledger(variant), request, assumptions)
    return new Aspects(status, body)
  }

  /** What the other variants respond, one after the other. */
  *others(request: ModelRequest, assumptions: Assumptions): Generator<Aspects> {
    for (let variant = 1; variant < variants; variant++) yield this.respond(request, assumptions, variant)
  }
}
