import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { noIds, type Ids } from './ids.ts'
import { instantOf } from './instant.ts'

/** Texts of a column as numbers: equal texts have equal codes, counted up as they first appear. */
export interface Codes {
  readonly of: Uint32Array
  readonly texts: readonly string[]
  readonly codeOf: ReadonlyMap<string, number>
}

/** A field that can be compared as a number. */
export type NumberField = 'amount' | 'quantity' | 'total' | 'createdAt'

/**
 * The rows of a ledger at some moment. Nothing in it changes: a ledger that changes gets another table, and whoever kept
 * the old one has it with all that was worked out about it.
 */
export interface Table {
  readonly size: number
  readonly entries: readonly LedgerEntry[]
  /** A field of all rows side by side; `createdAt` in milliseconds since 1970. */
  numbers(field: NumberField): Float64Array
  codes(field: 'platformId' | 'source' | 'name'): Codes
  /** Ids of all rows. */
  ids(): Ids
  /** What has been worked out about these rows, to be found again under a name. */
  once<Result>(name: string, work: () => Result): Result
  /** What a table with the first of these rows had worked out under a name, to be carried on; given once. */
  before(name: string): unknown
  /** A table with more rows. What is known of these is carried on when it is needed, instead of done again. */
  grown(added: readonly LedgerEntry[], theirIds: ReadonlySet<string>): Table
}

type TextField = 'platformId' | 'source' | 'name'

const codesOf = (entries: readonly LedgerEntry[], field: TextField, before?: Codes): Codes => {
  const of = new Uint32Array(entries.length)
  const texts = [...(before?.texts ?? [])]
  const codeOf = new Map(before?.codeOf)
  if (before) of.set(before.of)
  for (let i = before?.of.length ?? 0; i < entries.length; i++) {
    const text = entries[i]?.[field] ?? ''
    let code = codeOf.get(text)
    if (code === undefined) {
      code = texts.push(text) - 1
      codeOf.set(text, code)
    }
    of[i] = code
  }
  return { of, texts, codeOf }
}

const numberIn: Readonly<Record<NumberField, (entry: LedgerEntry) => number>> = {
  amount: ({ amount }) => amount,
  quantity: ({ quantity }) => quantity,
  total: ({ total }) => total,
  createdAt: ({ createdAt }) => instantOf(createdAt) ?? 0,
}

const numbersOf = (entries: readonly LedgerEntry[], field: NumberField, before?: Float64Array): Float64Array => {
  const numbers = new Float64Array(entries.length)
  const numberOf = numberIn[field]
  if (before) numbers.set(before)
  for (let i = before?.length ?? 0; i < entries.length; i++) numbers[i] = numberOf(entries[i] as LedgerEntry)
  return numbers
}

// The rest is either cheap to make, or depends on all rows.
const isCarried = (name: string): boolean => /^(numbers|codes|order) /.test(name)

/** Rows that were added to others and not looked at yet, so that no list is made for each addition. */
interface Growth {
  readonly before: readonly LedgerEntry[] | Growth
  readonly added: readonly LedgerEntry[]
  readonly size: number
}

const entriesOf = (growth: Growth): readonly LedgerEntry[] => {
  const parts = [growth.added]
  let { before } = growth
  for (; 'added' in before; before = before.before) parts.push(before.added)
  return before.concat(parts.toReversed().flat())
}

const nothingKnown: ReadonlyMap<string, unknown> = new Map()

/** Columns over rows, each made when it is first needed; the rows too. */
export const createTable = (
  seeded: () => readonly LedgerEntry[],
  growth?: Growth,
  inherited = nothingKnown,
  takenIds?: Ids,
): Table => {
  const carried = new Map(inherited)
  const made = new Map<string, unknown>()
  const once: Table['once'] = <Result>(name: string, work: () => Result): Result => {
    const known = made.get(name)
    if (known !== undefined) return known as Result
    const result = work()
    made.set(name, result)
    return result
  }
  let entries: readonly LedgerEntry[] | undefined
  // Let go once the rows are listed, with the shorter list in it.
  let grownFrom = growth
  const table: Table = {
    get size() {
      return grownFrom?.size ?? table.entries.length
    },
    get entries() {
      entries ??= grownFrom ? entriesOf(grownFrom) : seeded()
      grownFrom = undefined
      return entries
    },
    numbers: (field) =>
      once(`numbers ${field}`, () =>
        numbersOf(table.entries, field, table.before(`numbers ${field}`) as Float64Array | undefined),
      ),
    codes: (field) =>
      once(`codes ${field}`, () => codesOf(table.entries, field, table.before(`codes ${field}`) as Codes | undefined)),
    ids: () => takenIds ?? once('ids', () => noIds.with(new Set(table.entries.map((entry) => entry.transactionId)))),
    once,
    before(name) {
      const known = carried.get(name)
      carried.delete(name)
      return known
    },
    grown(added, theirIds) {
      const before = grownFrom ?? table.entries
      const known = new Map([...carried, ...made].filter(([name]) => isCarried(name)))
      const size = table.size + added.length
      return createTable(seeded, { before, added, size }, known, table.ids().with(theirIds))
    },
  }
  return table
}
