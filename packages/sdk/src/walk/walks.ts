import { checked } from '../checks.ts'
import type { LedgerEntry } from '../contract/index.ts'
import { createCourse, type Course, type WalkedQuery } from './course.ts'
import { entries, type Batch } from './entries.ts'
import { once, type Once } from './once.ts'
import { walkChecks, type WalkOptions } from './options.ts'
import type { Walkable, WalkedPage } from './reading.ts'
import { soundRules, type Rules } from './rules.ts'
import { isLoss } from './steps.ts'

async function* replies<P>({ options, begin }: Course<P>, signal: AbortSignal): AsyncGenerator<P, void, void> {
  for await (const { change: kind, page, lost, reply, count } of begin(signal).pass()) {
    if (isLoss(kind)) {
      options.onDrift?.({ kind, page, lost, rereadFrom: undefined, repaired: false })
    }
    if (reply && count > 0) yield reply
  }
}

async function* flat(batches: AsyncIterable<Batch>): AsyncGenerator<LedgerEntry, void, void> {
  // Not yield*, which would await every row once more.
  for await (const { rows } of batches) for (const row of rows) yield row
}

const courseOf = <Q extends WalkedQuery, P extends WalkedPage>(
  operation: Walkable<Q, P>,
  query: Q,
  options: WalkOptions,
  rules: Rules,
  eager?: boolean,
): Course<P> => {
  const taken = checked(walkChecks, options)
  operation.check(query)
  return createCourse(operation, query, taken, rules, eager)
}

/** Pages of a query in order, from `query.page` to the last that has anything on it. */
export const pages = <Q extends WalkedQuery, P extends WalkedPage>(
  operation: Walkable<Q, P>,
  query: Q,
  options: WalkOptions = {},
  rules: Rules = soundRules,
): Once<P> => {
  const course = courseOf(operation, query, options, rules)
  return once((signal) => replies(course, signal), course.options.signal)
}

/** Transactions of a query, each once, with the user it belongs to. */
export const iterate = <Q extends WalkedQuery, P extends WalkedPage>(
  operation: Walkable<Q, P>,
  query: Q,
  options: WalkOptions = {},
  rules: Rules = soundRules,
): Once<LedgerEntry> => {
  const course = courseOf(operation, query, options, rules)
  return once((signal) => flat(entries(course, rules, signal)), course.options.signal)
}

/**
 * Transactions of a query, each once, those of a page together. Where it is not `eager`, no page is asked for before
 * its turn. Nothing is asked for once `signal` has fired.
 */
export const batches = <Q extends WalkedQuery, P extends WalkedPage>(
  operation: Walkable<Q, P>,
  query: Q,
  options: WalkOptions,
  signal: AbortSignal,
  eager: boolean,
): AsyncGenerator<Batch, void, void> =>
  entries(courseOf(operation, query, options, soundRules, eager), soundRules, signal)
