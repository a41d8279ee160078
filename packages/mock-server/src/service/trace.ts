import {
  alternativesTo,
  processWideTrace,
  type Alternative,
  type Assumptions,
  type TraceEvent,
} from '../assumptions/index.ts'
import type { OperationResult } from '../http.ts'

/** Reports what depends on which assumptions. Where nobody listens there is none. */
export interface Trace {
  /** Reports other values under which something would differ. */
  differs(alternatives: readonly Alternative[]): void
  /** Reports the other values under which a result would differ. */
  result(
    actual: OperationResult,
    current: Assumptions,
    resultUnder: (assumptions: Assumptions) => OperationResult | undefined,
  ): void
}

const eventOf = (alternatives: readonly Alternative[], pins: Partial<Assumptions>): TraceEvent => ({
  touched: alternatives.filter(({ key }) => !Object.hasOwn(pins, key)),
  pinned: [...new Set(alternatives.map(({ key }) => key))].filter((key) => Object.hasOwn(pins, key)),
})

/** A trace for a mock or a guild; `pins` are the values it was given, which no process-wide setting changes. */
export const createTrace = (pins: () => Partial<Assumptions>): Trace | undefined => {
  const onTrace = processWideTrace()
  if (!onTrace) return undefined
  const differs = (alternatives: readonly Alternative[]): void => {
    if (alternatives.length > 0) onTrace(eventOf(alternatives, pins()))
  }
  return {
    differs,
    result(actual, current, resultUnder) {
      const text = JSON.stringify(actual)
      differs(
        alternativesTo(current).filter(
          ({ key, value }) => JSON.stringify(resultUnder({ ...current, [key]: value })) !== text,
        ),
      )
    },
  }
}
