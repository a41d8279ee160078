import { existsSync, writeFileSync } from 'node:fs'
import { formatAssumptions, parseAssumptionList } from '@guild-ledger/mock-server/assumptions'
import { describeValue, formatUnknownName, within, withPath } from '@guild-ledger/validation'
import { readFileOf, useJson } from '@guild-ledger/validation/command-line'
import type { SweepFindings } from './sweep.ts'
import { toSweepError, type TestResult } from './types.ts'

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

const entryOf = (given: unknown, now: number): AcceptedBreak => {
  const entry = (given ?? {}) as Partial<Record<keyof AcceptedBreak, unknown>>
  const fail = (field: string, message: string): never => {
    throw withPath(new TypeError(message), [field])
  }
  const unknown = Object.keys(entry).find((name) => ![...fields, 'expires'].includes(name))
  if (unknown !== undefined) fail(unknown, formatUnknownName('field', unknown, [...fields, 'expires']))
  for (const field of fields) {
    const text = entry[field]
    if (typeof text !== 'string' || text.trim() === '') fail(field, `it must have a ${field}`)
  }
  const { test, values, reason, expires } = entry as AcceptedBreak
  if (expires !== undefined) {
    if (!isDay(expires)) fail('expires', `\`expires\` must be a day such as 2027-01-31, got ${describeValue(expires)}`)
    if (Date.parse(expires) <= now)
      fail('expires', `it expired on ${expires}: remove it, or set a later day if it still holds`)
  }
  const parsed = within('values', () => parseAssumptionList(values))
  return { test, values: formatAssumptions(parsed), reason, ...(expires && { expires }) }
}

/**
 * Takes the content of a lock file: `{ "accepted": [{ "test": …, "values": "pageUnit=group", "reason": …, "expires": … }] }`.
 *
 * @throws {TypeError} An entry lacks a field, has expired, or its values are unknown.
 */
export const acceptedIn = (lock: unknown, now = Date.now()): AcceptedBreak[] => {
  const { accepted } = (lock ?? {}) as { accepted?: unknown }
  if (!Array.isArray(accepted)) throw new TypeError('it must be an object with an array "accepted"')
  return accepted.map((entry, i) => within(`accepted[${i}]`, () => entryOf(entry, now)))
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
export const readLock = async (file: string, mayBeMissing: boolean): Promise<AcceptedBreak[]> => {
  if (mayBeMissing && !existsSync(file)) return []
  return readFileOf('--accept', file, (text) => useJson(text, (lock) => acceptedIn(lock)), toSweepError)
}
