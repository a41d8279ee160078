import { assumptionDefinitions } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'

const fields = ['platformId', 'transactionId', 'name'] as const

/** Identifiers and names of a ledger that another ledger has in the same field. */
export const leaksInLedger = (written: readonly LedgerEntry[], entries: readonly LedgerEntry[]): string[] =>
  fields.flatMap((field) => {
    const found = new Set(written.map((entry) => entry[field]))
    return [...new Set(entries.map((entry) => entry[field]))].filter((value) => found.has(value))
  })

const vocabulary = JSON.stringify(assumptionDefinitions)

// A single word or a short number is in any report: an item may be called "order".
const isOrdinary = (text: string): boolean => /^([A-Za-z]*|[\d.]{0,10})$/.test(text) || vocabulary.includes(text)

const isInside = (character = ''): boolean => /[\p{L}\p{N}_-]/u.test(character)
const isWordOf = (text: string, word: string): boolean => {
  const parts = text.split(word)
  return parts.some((after, i) => i > 0 && !isInside(parts[i - 1]?.at(-1)) && !isInside(after[0]))
}

/** Identifiers and names of a ledger that a report contains. Ordinary words and short numbers are not looked for. */
export const leaksInReport = (text: string, entries: readonly LedgerEntry[]): string[] => {
  const originals = new Set(entries.flatMap((entry) => fields.map((field) => entry[field])))
  return [...originals].filter((one) => !isOrdinary(one) && isWordOf(text, one))
}

export const secretsIn = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter((secret) => (secret.length >= 8 ? text.includes(secret) : isWordOf(text, secret)))
