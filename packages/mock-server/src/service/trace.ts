import { changedValues, type Alternative } from '../assumptions/alternatives.ts'
import { processWideTrace, type TraceEvent } from '../assumptions/process-wide.ts'
import type { Assumptions } from '../assumptions/values.ts'

/**
 * Tells whoever listens in this process what depends on which assumptions.
 *
 * @param alternatives The other values under which it would differ; called only if somebody listens.
 */
export type Trace = (
  event: Pick<TraceEvent, 'of' | 'via'>,
  current: Assumptions,
  alternatives: () => readonly Alternative[],
) => void

/** The trace of a mock or of a guild; `pins` are the values it was given, which no process-wide setting changes. */
export const createTrace =
  (pins: () => Partial<Assumptions>): Trace =>
  (event, current, alternatives) => {
    const onTrace = processWideTrace()
    if (!onTrace) return
    const found = alternatives()
    const given = pins()
    const isPinned = ({ key }: Alternative) => Object.hasOwn(given, key)
    onTrace({
      ...event,
      inForce: changedValues(current),
      touched: found.filter((one) => !isPinned(one)),
      pinned: [...new Set(found.filter(isPinned).map(({ key }) => key))],
    })
  }
