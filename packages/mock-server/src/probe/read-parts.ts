import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { timeIn } from './model/ledger-copy.ts'
import { readPages, type PageOptions, type Send } from './read-pages.ts'

const isoOf = (time: number): string => new Date(time).toISOString()

/** The time in the middle of transactions. */
const middleOf = (entries: Iterable<LedgerEntry>): number => {
  const times = [...new Set([...entries].map(({ createdAt }) => Math.floor(timeIn(createdAt))))].toSorted(
    (a, b) => a - b,
  )
  return times[times.length >> 1] ?? Number.NaN
}

/**
 * Reads a ledger in parts by date: a part with more users than the pages show is halved. Where pages count users, those
 * above the largest page may hold old transactions too. Returns what could not be read.
 */
export const readParts = async (
  send: Send,
  entries: Map<string, LedgerEntry>,
  { range = {}, most = Infinity }: PageOptions,
): Promise<{ isCut: boolean; isTooLarge: boolean }> => {
  const halve = async (known: Iterable<LedgerEntry>, from: number, to: number) => {
    const middle = middleOf(known)
    // Each half has the middle, whether or not the service includes bounds.
    if (!(from < middle - 1 && middle + 1 < to)) return { isCut: true, isTooLarge: false }
    const early = await read(from, middle + 1)
    return early.isCut || early.isTooLarge ? early : read(middle - 1, to)
  }
  const read = async (from: number, to: number): Promise<{ isCut: boolean; isTooLarge: boolean }> => {
    const own = new Map<string, LedgerEntry>()
    const dates = {
      ...(from > -Infinity && { startDate: isoOf(from) }),
      ...(to < Infinity && { endDate: isoOf(to) }),
    }
    const { isCut, isTooLarge, isShort } = await readPages(send, own, { range: { ...range, ...dates }, most })
    for (const [id, entry] of own) entries.set(id, entry)
    if (isTooLarge || entries.size > most) return { isCut: false, isTooLarge: true }
    if (isShort) return { isCut: true, isTooLarge: false }
    return isCut ? halve(own.values(), from, to) : { isCut, isTooLarge }
  }
  const { startDate, endDate } = range
  return halve(
    entries.values(),
    startDate === undefined ? -Infinity : Date.parse(startDate),
    endDate === undefined ? Infinity : Date.parse(endDate),
  )
}
