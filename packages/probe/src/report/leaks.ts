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

const isWordOf = (text: string, word: string): boolean => {
  const isInside = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_-]/u.test(character)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isInside(text[at - 1]) && !isInside(text[at + word.length])) return true
  return false
}

/** Identifiers and names of a ledger that a report contains. Ordinary words and short numbers are not looked for. */
export const leaksInReport = (text: string, entries: readonly LedgerEntry[]): string[] => {
  const originals = new Set(entries.flatMap((entry) => fields.map((field) => entry[field])))
  return [...originals].filter((one) => !isOrdinary(one) && isWordOf(text, one))
}

export const secretsIn = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter((secret) => (secret.length >= 8 ? text.includes(secret) : isWordOf(text, secret)))
