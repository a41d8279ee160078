import { parseAssumptionList, formatAssumptions } from '../assumptions/index.ts'
import { SweepInputError } from './input-error.ts'
import type { Break, NotTried, SweepReport } from './types.ts'

/** A dependency on unspecified behaviour that was accepted. */
export interface AcceptedBreak {
  /** Name of the test, as the sweep prints it, or `*` for every test. */
  readonly test: string
  /** Such as `pageUnit=group`. */
  readonly values: string
  /** Why it is accepted. */
  readonly reason: string
}

/** A report compared with what was accepted. */
export interface LockComparison {
  /** Breaks that were not accepted. */
  readonly unaccepted: readonly Break[]
  /** Breaks that `sweep.lock` accepts. */
  readonly accepted: readonly Break[]
  /** Accepted breaks that do not occur any more. */
  readonly stale: readonly AcceptedBreak[]
  /** Tests without a result under values for which no entry accepts that they fail. */
  readonly notTried: readonly NotTried[]
}

const fields = ['test', 'values', 'reason'] as const

const entryOf = (given: unknown, at: string): AcceptedBreak => {
  const entry = (given ?? {}) as Partial<Record<(typeof fields)[number], unknown>>
  for (const field of fields) {
    if (typeof entry[field] !== 'string' || entry[field].trim() === '') {
      throw new SweepInputError(`${at} must have a ${field}.`)
    }
  }
  const { test, values, reason } = entry as AcceptedBreak
  try {
    return { test, reason, values: formatAssumptions(parseAssumptionList(values)) }
  } catch (error) {
    throw new SweepInputError(`${at}: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Parses a lock file: `{ "accepted": [{ "test": …, "values": "pageUnit=group", "reason": … }] }`.
 *
 * @throws {SweepInputError} It is not JSON, an entry lacks a field, or its values are unknown.
 */
export const parseLock = (text: string, file: string): AcceptedBreak[] => {
  let lock: unknown
  try {
    lock = JSON.parse(text)
  } catch (error) {
    throw new SweepInputError(`${file} is not JSON.`, { cause: error })
  }
  const { accepted } = (lock ?? {}) as { accepted?: unknown }
  if (!Array.isArray(accepted)) throw new SweepInputError(`${file} must be an object with an array "accepted".`)
  return accepted.map((entry, i) => entryOf(entry, `${file}, entry ${i + 1}`))
}

const accepts = (entry: AcceptedBreak, test: string, values: string): boolean =>
  (entry.test === '*' || entry.test === test) && entry.values === values

const isSame = (entry: AcceptedBreak, { test, values }: Break): boolean =>
  accepts(entry, test, formatAssumptions(values))

/** Whether the sweep tried the values of an entry: pairs only with `--pairs`. */
const wasTried = (entry: AcceptedBreak, report: SweepReport, pairs: boolean): boolean => {
  const { values } = entry
  const { notTried, notTriedAfterHang, skipped } = report
  if (notTriedAfterHang.some((one) => one.values.some((value) => accepts(entry, one.test, value)))) return false
  const keys = Object.keys(parseAssumptionList(values))
  if (keys.some((key) => skipped.some((one) => one === key))) return false
  return keys.length === 1 ? !notTried.includes(values) : pairs && notTried.length === 0
}

/** Compares what was found with what was accepted; `pairs` is the option of the sweep. */
export const compareWithLock = (
  report: SweepReport,
  lock: readonly AcceptedBreak[],
  pairs: boolean,
): LockComparison => {
  const isAccepted = (one: Break) => lock.some((entry) => isSame(entry, one))
  return {
    unaccepted: report.breaks.filter((one) => !isAccepted(one)),
    accepted: report.breaks.filter(isAccepted),
    notTried: report.notTriedAfterHang.flatMap((one) => {
      const values = one.values.filter((value) => !lock.some((entry) => accepts(entry, one.test, value)))
      return values.length > 0 ? [{ ...one, values }] : []
    }),
    stale: lock.filter((entry) => wasTried(entry, report, pairs) && !report.breaks.some((one) => isSame(entry, one))),
  }
}
