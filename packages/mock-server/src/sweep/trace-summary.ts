import { formatAssumptions, type AssumptionKey, type TraceEvent } from '../assumptions/index.ts'

/** What trace events have in common with a test result. */
export interface TraceSummary {
  /** Such as `pageUnit=group`. */
  readonly touched: readonly string[]
  readonly pinned: readonly AssumptionKey[]
}

/** All values and all pinned assumptions in some events, each once. */
export const summarize = (events: Iterable<TraceEvent>): TraceSummary => {
  const touched = new Set<string>()
  const pinned = new Set<AssumptionKey>()
  for (const event of events) {
    for (const { key, value } of event.touched) touched.add(formatAssumptions({ [key]: value }))
    for (const key of event.pinned) pinned.add(key)
  }
  return { touched: [...touched], pinned: [...pinned] }
}
