import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { timeIn, type LedgerCopy } from './model/ledger-copy.ts'
import type { Observed } from './model/observe.ts'
import type { ProbeRequest } from './model/probe-request.ts'

/** Who was seen before whom. */
export interface Precedence {
  add(before: string, after: string): void
  /** Everything that was added. */
  edges(): (readonly [before: string, after: string])[]
  /** Everything in an order that agrees with what was seen, as it is if that agrees; `undefined` if there is none. */
  sorted(all: readonly string[]): string[] | undefined
}

/** Creates an empty precedence. */
export const createPrecedence = (): Precedence => {
  const next = new Map<string, Set<string>>()
  /** Whether everything that was seen is so in an order. */
  const agrees = (positionOf: (node: string) => number): boolean => {
    for (const [before, afters] of next) {
      const position = positionOf(before)
      for (const after of afters) if (position >= positionOf(after)) return false
    }
    return true
  }
  return {
    add(before, after) {
      const known = next.get(before)
      if (known) known.add(after)
      else next.set(before, new Set([after]))
    },
    edges: () => [...next].flatMap(([before, afters]) => [...afters].map((after) => [before, after] as const)),
    sorted(all) {
      // What was not seen is best left as it is.
      const positions = new Map(all.map((node, i) => [node, i]))
      const positionOf = (node: string): number => positions.get(node) ?? 0
      if (agrees(positionOf)) return [...all]
      const waiting = new Map<string, number>()
      for (const afters of next.values()) for (const after of afters) waiting.set(after, (waiting.get(after) ?? 0) + 1)
      const given = new Set(all)
      const nodes = [...all, ...[...next.keys()].filter((node) => !given.has(node))]
      const ready = nodes.filter((node) => !waiting.get(node)).toReversed()
      const order: string[] = []
      for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
        order.push(node)
        for (const after of next.get(node) ?? []) {
          const left = (waiting.get(after) ?? 0) - 1
          waiting.set(after, left)
          if (left === 0) ready.push(after)
        }
      }
      const isComplete = [...waiting.values()].every((left) => left <= 0)
      return isComplete ? order.filter((node) => given.has(node)) : undefined
    },
  }
}

/** What responses show about the order in which transactions and users entered the ledger, if it decides. */
export interface OrderEvidence {
  /** Users, if groups are in the order in which users appeared. */
  readonly users: Precedence
  /** Transactions, if ties are in the order in which they entered. */
  readonly ties: Precedence
  /** The same, if descending sorts reverse it. */
  readonly directedTies: Precedence
  /** Decimal logarithm of the chance that ties are in the order of their ids by accident. */
  tieChance: number
  /** The same for groups in the order of their ids. */
  userChance: number
}

/** Creates evidence of nothing. */
export const createOrderEvidence = (): OrderEvidence => ({
  users: createPrecedence(),
  ties: createPrecedence(),
  directedTies: createPrecedence(),
  tieChance: 0,
  userChance: 0,
})

const logFactorial = (count: number): number => {
  let log = 0
  for (let i = 2; i <= count; i++) log += Math.log10(i)
  return log
}

const valueOf = (request: ProbeRequest, name: string): string | undefined => {
  const values = request.parameters.filter(([sent]) => sent === name).map(([, text]) => text)
  return values.length === 1 ? values[0] : undefined
}

const keyOf = (entry: LedgerEntry, sortBy: string): number | string | undefined => {
  // Equal names are ties however names are compared.
  if (sortBy === 'name') return entry.name
  if (sortBy === 'createdAt') return timeIn(entry.createdAt)
  return sortBy === 'amount' || sortBy === 'quantity' || sortBy === 'total' ? entry[sortBy] : undefined
}

/** Runs of transactions with equal sort values in a group. */
const runsIn = (group: readonly LedgerEntry[], sortBy: string): LedgerEntry[][] => {
  const runs: LedgerEntry[][] = []
  for (const [i, entry] of group.entries()) {
    const key = keyOf(entry, sortBy)
    const before = group[i - 1]
    if (key !== undefined && before && keyOf(before, sortBy) === key) runs.at(-1)?.push(entry)
    else runs.push([entry])
  }
  return runs.filter(({ length }) => length > 1)
}

const inOrder = (texts: readonly string[]): boolean => texts.every((text, i) => i === 0 || text > (texts[i - 1] ?? ''))

/** Adds what a response shows. What is sorted by must be in the request: a default is not known. Ties need no sort order. */
export const noteOrder = (
  evidence: OrderEvidence,
  request: ProbeRequest,
  observed: Observed,
  copy: LedgerCopy,
): void => {
  const { users, groups } = observed
  for (const [i, user] of users.entries()) {
    const before = users[i - 1]
    if (before !== undefined) evidence.users.add(before, user)
  }
  if (inOrder(users)) evidence.userChance = Math.min(evidence.userChance, -logFactorial(users.length))
  const [sortBy, sortOrder] = [valueOf(request, 'sortBy'), valueOf(request, 'sortOrder')]
  // What a user's transactions are sorted by instead of the name is not known.
  if (sortBy === undefined || (sortBy === 'name' && request.user !== null)) return
  if (sortBy === 'createdAt' && copy.hiddenMs > 0) return
  let chance = 0
  let isInOrder = true
  for (const run of groups.flatMap((group) => runsIn(group, sortBy))) {
    const ids = run.map(({ transactionId }) => transactionId)
    isInOrder &&= inOrder(ids)
    chance -= logFactorial(ids.length)
    for (const [i, id] of ids.entries()) {
      const before = ids[i - 1]
      if (before === undefined) continue
      evidence.ties.add(before, id)
      if (sortOrder === 'asc') evidence.directedTies.add(before, id)
      else if (sortOrder === 'desc') evidence.directedTies.add(id, before)
    }
  }
  if (isInOrder) evidence.tieChance = Math.min(evidence.tieChance, chance)
}

// Fewer would agree by accident once in a thousand times.
const minInOrder = 7
const deviations = 3.3

/**
 * Whether an order follows time: too closely for an accident. Something that is in the same order in all responses is in
 * the order in which it entered the ledger only if it does; else it may be ordered by something else.
 */
export const followsTime = (steps: readonly number[]): boolean => {
  const rising = steps.filter((step) => step > 0).length
  const falling = steps.filter((step) => step < 0).length
  if (falling === 0) return rising + 1 >= minInOrder
  return rising - falling >= deviations * Math.sqrt(rising + falling)
}
