import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { compareText } from '../infer/aspects.ts'
import { areRandom } from '../infer/order.ts'

/** The position of each distinct string in the order of code units. */
const ranksOf = (texts: readonly string[]): Map<string, number> =>
  new Map([...new Set(texts)].toSorted(compareText).map((text, rank) => [text, rank]))

/** A random UUID of version 4. */
const randomId = (): string => globalThis.crypto.randomUUID()

/** As many ids as there are transactions, in the same order, random only if the original ones are. */
const idsFor = (entries: readonly LedgerEntry[]): string[] =>
  areRandom(entries.map(({ transactionId }) => transactionId))
    ? entries.map(randomId).toSorted(compareText)
    : entries.map((_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)

const letters = 'amberrelicofthenorthernforestkeeper'

/**
 * A name whose place among the others stays the same, by code units and in lower case. Upper-case letters come before
 * lower-case ones, so the case of the first word says the rank by code units; the number says the rank in lower case.
 */
const nameFor = (rank: number, rankInLowerCase: number, bits: number): string => {
  const word = Array.from({ length: bits }, (_, i) => {
    const letter = letters[i % letters.length] ?? 'a'
    return (rank >> (bits - 1 - i)) & 1 ? letter : letter.toUpperCase()
  })
  return `${word.join('')} ${String(rankInLowerCase).padStart(5, '0')}`
}

const isOwnName = (name: string): boolean => {
  const [, word = ''] = /^([A-Za-z]+) \d{5}$/.exec(name) ?? []
  return word !== '' && letters.startsWith(word.toLowerCase())
}

/** Whether a value looks like one that `pseudonymise` makes: then it identifies nobody. */
export const isPseudonym = {
  platformId: (id: string): boolean => /^user-\d{6}$/.test(id),
  transactionId: (id: string): boolean => /^00000000-0000-4000-8000-\d{12}$/.test(id),
  name: isOwnName,
} as const

const dayMs = 86_400_000

/**
 * A ledger that looks the same without its identifiers: other users, ids, names and days, in the same order and with the
 * same gaps, ties, amounts and sources. It is pseudonymous, not anonymous: amounts and gaps stay. The mapping is nowhere kept.
 */
export const pseudonymise = (entries: readonly LedgerEntry[]): LedgerEntry[] => {
  const users = ranksOf(entries.map(({ platformId }) => platformId))
  const transactions = ranksOf(entries.map(({ transactionId }) => transactionId))
  const names = ranksOf(entries.map(({ name }) => name))
  const lowerCase = ranksOf(entries.map(({ name }) => name.toLowerCase()))
  const ids = idsFor(entries)
  const bits = Math.max(4, Math.ceil(Math.log2(names.size + 1)))
  const [random = 0] = globalThis.crypto.getRandomValues(new Uint16Array(1))
  const shiftMs = -(400 + (random % 400)) * dayMs
  const time = (createdAt: string): string => {
    const digits = /\.\d+/.exec(createdAt)?.[0] ?? ''
    return `${new Date(Date.parse(createdAt) + shiftMs).toISOString().slice(0, 19)}${digits}Z`
  }
  return entries.map(({ transactionId, amount, quantity, name, source, total, createdAt, platformId }) => ({
    platformId: `user-${String(users.get(platformId) ?? 0).padStart(6, '0')}`,
    transactionId: ids[transactions.get(transactionId) ?? 0] ?? '',
    amount,
    quantity,
    name: nameFor(names.get(name) ?? 0, lowerCase.get(name.toLowerCase()) ?? 0, bits),
    source,
    total,
    createdAt: time(createdAt),
  }))
}
