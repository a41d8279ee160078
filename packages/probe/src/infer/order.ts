import type { LedgerEntry, Transaction } from '@guild-ledger/sdk/contract'
import type { Observation } from './constrain.ts'

/** An accident less likely than one in ten to this many is taken for impossible. */
const impossible = -6.5
// Fewer steps in one direction would agree by accident once in a thousand times.
const minInOrder = 7
const deviations = 3.3

/** Who was seen before whom. */
class Precedence {
  readonly #next = new Map<string, Set<string>>()

  add(before: string, after: string): void {
    const known = this.#next.get(before)
    if (known) known.add(after)
    else this.#next.set(before, new Set([after]))
  }

  edges(): (readonly [before: string, after: string])[] {
    return [...this.#next].flatMap(([before, afters]) => [...afters].map((after) => [before, after] as const))
  }

  /** Everything in an order that agrees with what was seen, and else is as given; `undefined` if there is none. */
  sorted(all: readonly string[]): string[] | undefined {
    const waiting = new Map<string, number>()
    for (const [, after] of this.edges()) waiting.set(after, (waiting.get(after) ?? 0) + 1)
    const given = new Set(all)
    const nodes = [...all, ...[...this.#next.keys()].filter((node) => !given.has(node))]
    const rank = new Map(nodes.map((node, i) => [node, i]))
    /** The ranks of those that may come next, the smallest last. */
    const ready = nodes.flatMap((node, i) => (waiting.get(node) ? [] : [i])).toReversed()
    const order: string[] = []
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      const node = nodes[next] as string
      order.push(node)
      for (const after of this.#next.get(node) ?? []) {
        const left = (waiting.get(after) ?? 0) - 1
        waiting.set(after, left)
        if (left !== 0) continue
        const own = rank.get(after) ?? 0
        ready.splice(ready.findLastIndex((one) => one > own) + 1, 0, own)
      }
    }
    return [...waiting.values()].every((left) => left <= 0) ? order.filter((node) => given.has(node)) : undefined
  }
}

const logFactorial = (count: number): number =>
  Array.from({ length: Math.max(0, count) }, (_, i) => Math.log10(i + 1)).reduce((sum, log) => sum + log, 0)

const isAscending = (texts: readonly string[]): boolean =>
  texts.every((text, i) => i === 0 || text > (texts[i - 1] ?? ''))
const share = (texts: readonly string[]): number =>
  texts.length < 2 ? 1 : texts.filter((text, i) => i > 0 && text > (texts[i - 1] ?? '')).length / (texts.length - 1)

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Whether ids are random: then their order says nothing about the order in which transactions entered the ledger. */
export const areRandom = (ids: readonly string[]): boolean => {
  const starts = new Set(ids.map((id) => id.slice(0, 2).toLowerCase()))
  return ids.every((id) => uuid4.test(id)) && starts.size >= Math.min(ids.length, 256) * 0.4 && share(ids) < 0.9
}

/** Whether an order follows time: too closely for an accident. */
const followsTime = (steps: readonly number[]): boolean => {
  const rising = steps.filter((step) => step > 0).length
  const falling = steps.filter((step) => step < 0).length
  return falling === 0 ? rising + 1 >= minInOrder : rising - falling >= deviations * Math.sqrt(rising + falling)
}

/** Transactions of a group with equal sort values. Equal names are ties however names are compared. */
const runsIn = (group: readonly Transaction[], sortBy: keyof Transaction): Transaction[][] => {
  const runs: Transaction[][] = []
  for (const [i, entry] of group.entries()) {
    if (i > 0 && group[i - 1]?.[sortBy] === entry[sortBy]) runs.at(-1)?.push(entry)
    else runs.push([entry])
  }
  return runs.filter(({ length }) => length > 1)
}

const sortable = new Set(['createdAt', 'amount', 'quantity', 'total', 'name'])

/** The field that a request asks to sort by, where that is certain. */
const sortOf = (
  { request: { endpoint, query = {} } }: Observation,
  hidesDigits: boolean,
): keyof Transaction | undefined => {
  const { sortBy } = query
  if (typeof sortBy !== 'string' || !sortable.has(sortBy)) return undefined
  if ((sortBy === 'name' && endpoint === 'user') || (sortBy === 'createdAt' && hidesDigits)) return undefined
  return sortBy as keyof Transaction
}

/**
 * What responses show about the order in which transactions entered the ledger, which is invisible: "as they entered"
 * explains any order that is the same in all responses.
 */
export class EntryOrder {
  readonly ties = new Precedence()
  readonly users = new Precedence()
  /** Decimal logarithm of the chance that ties are in the order of their ids by accident. */
  #tieChance = 0
  /** The same for groups in the order of their ids, and in the reverse order. */
  #userChance = 0
  readonly #entries: readonly LedgerEntry[]

  constructor(observations: readonly Observation[], entries: readonly LedgerEntry[], hidesDigits: boolean) {
    this.#entries = entries
    for (const observation of observations) {
      const { groups } = observation
      const users = groups.map(({ platformId }) => platformId)
      for (const [i, user] of users.entries()) if (i > 0) this.users.add(users[i - 1] ?? '', user)
      if (isAscending(users) || isAscending(users.toReversed()))
        this.#userChance = Math.min(this.#userChance, -logFactorial(users.length))
      const sortBy = sortOf(observation, hidesDigits)
      const runs = sortBy === undefined ? [] : groups.flatMap(({ transactions }) => runsIn(transactions, sortBy))
      for (const run of runs) {
        for (const [i, { transactionId }] of run.entries()) {
          if (i > 0) this.ties.add(run[i - 1]?.transactionId ?? '', transactionId)
        }
      }
      const ids = runs.map((run) => run.map(({ transactionId }) => transactionId))
      const chance = -ids.reduce((sum, run) => sum + logFactorial(run.length), 0)
      if (ids.every(isAscending)) this.#tieChance = Math.min(this.#tieChance, chance)
    }
  }

  #firstSeen(): Map<string, number> {
    const seen = new Map<string, number>()
    for (const { platformId, createdAt } of this.#entries) {
      const at = Date.parse(createdAt)
      if (at < (seen.get(platformId) ?? Infinity)) seen.set(platformId, at)
    }
    return seen
  }

  /** Whether ties cannot be in the order of entry, if they may be in the order of ids. */
  excludesTies(mayBeById: boolean): boolean {
    if (!this.ties.sorted([])) return true
    return (
      mayBeById && this.#tieChance < impossible && areRandom(this.#entries.map(({ transactionId }) => transactionId))
    )
  }

  /** Whether groups cannot be in the order in which users appeared, if they may be in the order of ids. */
  excludesUsers(mayBeById: boolean): boolean {
    if (!this.users.sorted([])) return true
    if (!mayBeById || this.#userChance >= impossible) return false
    const ranked = [...this.#firstSeen()].toSorted(([, a], [, b]) => a - b).map(([user]) => user)
    return share(ranked) < 0.8 && share(ranked) > 0.2
  }

  /** Whether ties are in the order of their times. */
  get tiesFollowTime(): boolean {
    const at = new Map(this.#entries.map(({ transactionId, createdAt }) => [transactionId, Date.parse(createdAt)]))
    return followsTime(this.ties.edges().map(([before, after]) => (at.get(after) ?? 0) - (at.get(before) ?? 0)))
  }

  /** Whether groups are in the order in which users appeared, as far as times tell. */
  get usersFollowTime(): boolean {
    const seen = this.#firstSeen()
    const times = (this.users.sorted([...seen.keys()]) ?? []).map((user) => seen.get(user) ?? 0)
    return followsTime(times.slice(1).map((time, i) => time - (times[i] ?? time)))
  }

  /** Transactions in an order that agrees with the ties, and if asked with the groups. */
  sorted(entries: readonly LedgerEntry[], withUsers = false): LedgerEntry[] {
    const byId = new Map(entries.map((entry) => [entry.transactionId, entry]))
    const ids = this.ties.sorted([...byId.keys()]) ?? [...byId.keys()]
    const ordered = ids.flatMap((id) => byId.get(id) ?? [])
    const ranked = withUsers ? this.users.sorted([...new Set(ordered.map(({ platformId }) => platformId))]) : undefined
    if (!ranked) return ordered
    // The first transaction of each user decides; the rest may follow where it was.
    const firsts = new Map<string, LedgerEntry>()
    for (const entry of ordered) if (!firsts.has(entry.platformId)) firsts.set(entry.platformId, entry)
    const both = new Precedence()
    for (const [before, after] of this.ties.edges()) both.add(before, after)
    for (const entry of ordered) {
      const first = firsts.get(entry.platformId)
      if (first && first !== entry) both.add(first.transactionId, entry.transactionId)
    }
    for (const [i, user] of ranked.entries()) {
      const [before, after] = [firsts.get(ranked[i - 1] ?? ''), firsts.get(user)]
      if (before && after) both.add(before.transactionId, after.transactionId)
    }
    return (both.sorted(ids) ?? ids).flatMap((id) => byId.get(id) ?? [])
  }
}
