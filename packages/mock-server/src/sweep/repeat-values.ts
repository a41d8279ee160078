import { textOf } from './alternative-text.ts'
import { confirmed } from './confirm.ts'
import { valuesOf } from './pairs.ts'
import type { SetAside } from './types.ts'
import type { FailuresOfValue, Repeated, Work } from './work.ts'

const longestRow = 8

/** A run that hangs or fails as a whole says nothing about other values. */
const isAloneInRow = ({ failures }: FailuresOfValue): boolean =>
  failures.some(({ status, isCommand }) => status === 'hung' || isCommand)

const isIndependent = (one: FailuresOfValue, other: FailuresOfValue): boolean => {
  const ids = new Set(other.failures.map(({ id }) => id))
  return one.alternative.key !== other.alternative.key && one.failures.every(({ id }) => !ids.has(id))
}

/**
 * Puts values together whose failures one run can repeat: values of different assumptions, and no test fails under two
 * of them.
 */
const rowsOf = (found: readonly FailuresOfValue[], length: number): FailuresOfValue[][] => {
  const rows: FailuresOfValue[][] = []
  for (const one of found) {
    const fits = (row: FailuresOfValue[]) =>
      row.length < length && row.every((other) => !isAloneInRow(other) && isIndependent(one, other))
    const row = isAloneInRow(one) ? undefined : rows.find(fits)
    if (row) row.push(one)
    else rows.push([one])
  }
  return rows
}

const labelOf = (row: readonly FailuresOfValue[]) =>
  `again ${row.map(({ alternative }) => textOf(alternative)).join(' ')}`

/**
 * Repeats failures where a run has all tests: several values in one run. Those that do not occur again, because another
 * value hides them, are tried in shorter rows, and at last by themselves.
 */
export const repeatValues = async (work: Work, found: readonly FailuresOfValue[]): Promise<Repeated> => {
  const { runner, baseline, base, schedule } = work
  const repeated = new Map<FailuresOfValue['alternative'], FailuresOfValue>()
  const setAside: SetAside[] = []
  let open = found
  for (let length = longestRow; open.length > 0; length = Math.ceil(length / 2)) {
    const hidden: FailuresOfValue[] = []
    const repeat = async (row: readonly FailuresOfValue[]): Promise<void> => {
      const assumptions = { ...base, ...valuesOf(row.map(({ alternative }) => alternative)) }
      const all = row.flatMap(({ failures }) => failures)
      const verdict = await confirmed(runner, baseline, all, assumptions)
      const again = new Set(verdict.failures)
      for (const { alternative, failures } of row) {
        const kept = failures.filter((failure) => again.has(failure))
        if (row.length > 1 && kept.length < failures.length) hidden.push({ alternative, failures })
        else repeated.set(alternative, { alternative, failures: kept })
      }
      if (row.length === 1) setAside.push(...verdict.setAside)
    }
    await schedule.each(rowsOf(open, length), labelOf, repeat, Number.POSITIVE_INFINITY)
    open = hidden
  }
  return { found: found.flatMap(({ alternative }) => repeated.get(alternative) ?? []), setAside }
}
