import { readFileSync, writeFileSync } from 'node:fs'
import { formatAssumptions, parseAssumptionList } from '@guild-ledger/mock-server/assumptions'
import type { SweepFindings } from './sweep.ts'
import { SweepError, type TestResult } from './types.ts'

/** A dependency on unspecified behaviour that was accepted. */
export interface AcceptedBreak {
  /** Name of the test, as the sweep prints it, or `*` for every test. */
  readonly test: string
  /** Such as `pageUnit=group`. */
  readonly values: string
  /** Why it is accepted. */
  readonly reason: string
  /** Day from which on it is not accepted any more, such as `2027-01-31`. */
  readonly expires?: string
}

const fields = ['test', 'values', 'reason'] as const

/** Whether it is a day of the calendar: 2027-02-30 would become another one. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
}

const entryOf = (given: unknown, at: string, now: number): AcceptedBreak => {
  const entry = (given ?? {}) as Partial<Record<keyof AcceptedBreak, unknown>>
  const unknown = Object.keys(entry).find((name) => ![...fields, 'expires'].includes(name))
  if (unknown !== undefined) throw new SweepError(`${at} has the unknown field "${unknown}".`)
  for (const field of fields) {
    const text = entry[field]
    if (typeof text !== 'string' || text.trim() === '') throw new SweepError(`${at} must have a ${field}.`)
  }
  const { test, values, reason, expires } = entry as AcceptedBreak
  if (expires !== undefined) {
    if (!isDay(expires)) throw new SweepError(`${at}: "expires" must be a day such as 2027-01-31, got "${expires}".`)
    if (Date.parse(expires) <= now)
      throw new SweepError(`${at} expired on ${expires}: remove it, or set a later day if it still holds.`)
  }
  try {
    return { test, values: formatAssumptions(parseAssumptionList(values)), reason, ...(expires && { expires }) }
  } catch (error) {
    throw new SweepError(`${at}: ${(error as Error).message}.`.replace(/\.\.$/, '.'), { cause: error })
  }
}

/**
 * Parses a lock file: `{ "accepted": [{ "test": …, "values": "pageUnit=group", "reason": …, "expires": … }] }`.
 *
 * @throws {SweepError} It is not JSON, an entry lacks a field, has expired, or its values are unknown.
 */
export const parseLock = (text: string, file: string, now = Date.now()): AcceptedBreak[] => {
  let lock: unknown
  try {
    lock = JSON.parse(text)
  } catch (error) {
    throw new SweepError(`${file} is not JSON.`, { cause: error })
  }
  const { accepted } = (lock ?? {}) as { accepted?: unknown }
  if (!Array.isArray(accepted)) throw new SweepError(`${file} must be an object with an array "accepted".`)
  return accepted.map((entry, i) => entryOf(entry, `${file}, entry ${i + 1}`, now))
}

const accepts = (entry: AcceptedBreak, test: string, values: string): boolean =>
  (entry.test === '*' || entry.test === test) && entry.values === values

/** The results, with the reason at each break that is accepted. */
export const withAccepted = (results: readonly TestResult[], lock: readonly AcceptedBreak[]): TestResult[] =>
  results.map((result) => ({
    ...result,
    breaks: result.breaks.map((one) => {
      const entry = lock.find((accepted) => accepts(accepted, result.test, one.values))
      return entry ? { ...one, accepted: entry.reason } : one
    }),
  }))

/** Entries that accept nothing any more, of those whose values were tried. */
export const staleEntries = (findings: SweepFindings, lock: readonly AcceptedBreak[]): AcceptedBreak[] => {
  const { results, late, onRequest } = findings
  return lock.filter((entry) => {
    const { values } = entry
    if (late.includes(values) || onRequest.includes(values)) return false
    return results.every(
      ({ test, breaks, notJudged }) =>
        breaks.every((one) => !accepts(entry, test, one.values)) &&
        notJudged.every((one) => !accepts(entry, test, one.values ?? values)),
    )
  })
}

/** Adds the breaks that are not accepted yet to a lock file. Returns how many these are. */
export const acceptNew = (
  file: string,
  lock: readonly AcceptedBreak[],
  results: readonly TestResult[],
  reason: string,
) => {
  const fresh = results.flatMap(({ test, breaks }) =>
    breaks.filter(({ accepted }) => accepted === undefined).map(({ values }) => ({ test, values, reason })),
  )
  writeFileSync(file, `${JSON.stringify({ accepted: [...lock, ...fresh] }, null, 2)}\n`)
  return fresh.length
}

/** The entries of a lock file; none where it does not exist yet and is to be written. */
export const readLock = (file: string, mayBeMissing: boolean): AcceptedBreak[] => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && mayBeMissing) return []
    throw new SweepError(`--accept ${file} cannot be read: ${message}.`, { cause: error })
  }
  return parseLock(text, file)
}
