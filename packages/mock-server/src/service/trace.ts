import {
  alternativesTo,
  processWideTrace,
  processWideVariants,
  type Alternative,
  type Assumptions,
  type TraceEvent,
  type Variant,
} from '../assumptions/index.ts'
import type { OperationResult } from '../http.ts'

/** Reports what depends on which assumptions. Where nobody listens there is none. */
export interface Trace {
  /** What to compare with, where `current` are the values. */
  variantsTo(current: Assumptions): readonly Variant[]
  /** The values under a variant. */
  valuesUnder(variant: Variant, current: Assumptions): Assumptions
  /** Reports the variants under which something would differ. */
  differs(variants: readonly Variant[]): void
  /** Reports the variants under which a result would differ. */
  result(
    actual: OperationResult,
    current: Assumptions,
    resultUnder: (assumptions: Assumptions) => OperationResult | undefined,
  ): void
}

const withoutPins = (changes: Partial<Assumptions>, pins: Partial<Assumptions>): Partial<Assumptions> =>
  Object.fromEntries(Object.entries(changes).filter(([key]) => !Object.hasOwn(pins, key)))

const eventOf = (alternatives: readonly Alternative[], pins: Partial<Assumptions>): TraceEvent => ({
  touched: alternatives.filter(({ key }) => !Object.hasOwn(pins, key)),
  pinned: [...new Set(alternatives.map(({ key }) => key))].filter((key) => Object.hasOwn(pins, key)),
})

/** A trace for a mock or a guild; `pins` are the values it was given, which no process-wide setting changes. */
export const createTrace = (pins: () => Partial<Assumptions>): Trace | undefined => {
  const onTrace = processWideTrace()
  if (!onTrace) return undefined
  const variants = processWideVariants()
  const variantsTo: Trace['variantsTo'] = (current) =>
    variants ??
    alternativesTo(current).map((alternative) => ({ alternative, changes: { [alternative.key]: alternative.value } }))
  const valuesUnder: Trace['valuesUnder'] = ({ changes }, current) => ({
    ...current,
    ...(variants ? withoutPins(changes, pins()) : changes),
  })
  const differs: Trace['differs'] = (different) => {
    if (different.length === 0) return
    const alternatives = different.map(({ alternative }) => alternative)
    // What is pinned changes in no given variant.
    onTrace(eventOf(alternatives, variants ? {} : pins()))
  }
  return {
    variantsTo,
    valuesUnder,
    differs,
    result(actual, current, resultUnder) {
      const text = JSON.stringify(actual)
      differs(variantsTo(current).filter((one) => JSON.stringify(resultUnder(valuesUnder(one, current))) !== text))
    },
  }
}
