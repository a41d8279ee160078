import { assume, formatAssumptions, type AssumptionKey, type TraceEvent } from '@guild-ledger/mock-server/assumptions'
import type { TestTrace } from '../types.ts'

const defaults = assume()

/** What some events have in common, as the trace of a test. */
export const summarize = (events: Iterable<TraceEvent>, untraced: Iterable<string> = []): TestTrace => {
  let responses = 0
  const [touched, inForce, pinned] = [new Set<string>(), new Set<string>(), new Set<AssumptionKey>()]
  for (const event of events) {
    if (event.of === 'response') responses++
    const values = { ...defaults, ...event.inForce }
    for (const { key, value } of event.touched) {
      touched.add(formatAssumptions({ [key]: value }))
      inForce.add(formatAssumptions({ [key]: values[key] }))
    }
    for (const key of event.pinned) pinned.add(key)
  }
  return { responses, touched: [...touched], inForce: [...inForce], pinned: [...pinned], untraced: [...untraced] }
}
