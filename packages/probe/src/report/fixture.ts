import { randomInt, randomUUID } from 'node:crypto'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { nameComparisons } from '@guild-ledger/mock-server/assumptions'
import { compareText } from '../infer/aspects.ts'
import { areRandom } from '../infer/order.ts'

/** The position of each distinct string in an order. */
const ranksOf = (texts: readonly string[], compare = compareText): Map<string, number> =>
  new Map([...new Set(texts)].toSorted(compare).map((text, rank) => [text, rank]))

/**
 * A name whose place among the others stays the same, by code points and in lower case. Upper-case letters come before
 * lower-case ones, so the case of a word says the rank by code points; the number says the rank in lower case.
 */
const nameFor = (rank: number, rankInLowerCase: number, bits: number): string => {
  const word = rank.toString(2).padStart(bits, '0').replaceAll('0', 'A').replaceAll('1', 'a')
  return `${word} ${String(rankInLowerCase).padStart(5, '0')}`
}

/**
 * A ledger that looks the same without its identifiers: other users, ids, names and days, in the same order and with the
 * same gaps, ties, amounts and sources. It is pseudonymous, not anonymous: amounts and gaps stay. The mapping is nowhere kept.
 */
export const pseudonymise = (entries: readonly LedgerEntry[]): LedgerEntry[] => {
  const users = ranksOf(entries.map(({ platformId }) => platformId))
  const transactions = ranksOf(entries.map(({ transactionId }) => transactionId))
  const all = entries.map(({ name }) => name)
  const names = ranksOf(all, nameComparisons['code-point'])
  const inLowerCase = all.map((name) => name.toLowerCase())
  const lowerCase = ranksOf(inLowerCase, nameComparisons['code-point'])
  // Each fixture has its own tag: no pseudonym is an identifier of the ledger, even if that is a fixture itself.
  const tag = randomUUID().slice(0, 8)
  // As many ids as there are transactions, in the same order, random only if the original ones are.
  const ids = areRandom(entries.map(({ transactionId }) => transactionId))
    ? entries.map(() => randomUUID()).toSorted(compareText)
    : entries.map((_, i) => `${tag}-0000-4000-8000-${String(i).padStart(12, '0')}`)
  const bits = names.size.toString(2).length
  const shiftDays = randomInt(400, 800)
  const time = (createdAt: string): string => {
    const digits = /\.\d+/.exec(createdAt)?.[0] ?? ''
    return `${new Date(Date.parse(createdAt) - shiftDays * 86_400_000).toISOString().slice(0, 19)}${digits}Z`
  }
  return entries.map(({ transactionId, amount, quantity, name, source, total, createdAt, platformId }) => ({
    platformId: `user-${tag}-${String(users.get(platformId) ?? 0).padStart(6, '0')}`,
    transactionId: ids[transactions.get(transactionId) ?? 0] ?? '',
    amount,
    quantity,
    name: `${tag} ${nameFor(names.get(name) ?? 0, lowerCase.get(name.toLowerCase()) ?? 0, bits)}`,
    source,
    total,
    createdAt: time(createdAt),
  }))
}
