import type { Fault, FaultKind } from '../fault.ts'
import type { OperationResult } from '../http.ts'
import { faultKinds, type Apply, type ApplyContext } from './kinds.ts'

const sameHeaders = (before: OperationResult['headers'] = {}, after: OperationResult['headers'] = {}): boolean => {
  const names = Object.keys(after)
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name])
}

/** Whether a client can tell the two results from each other. */
const differs = (before: OperationResult, after: OperationResult): boolean => {
  const { connectionFault, latencyMs = 0 } = after
  return (
    connectionFault !== undefined ||
    latencyMs > (before.latencyMs ?? 0) ||
    after.status !== before.status ||
    after.body !== before.body ||
    !sameHeaders(before.headers, after.headers)
  )
}

/**
 * The result as a fault leaves it; undefined where it changes nothing, as `data[3]` on a page of two users. Such a fault did
 * not happen: it uses up no `times` and leaves its place to the next.
 */
export const applyFault = (
  result: OperationResult,
  fault: Fault,
  context: ApplyContext,
): OperationResult | undefined => {
  const after = (faultKinds[fault.kind].apply as Apply<FaultKind>)(result, fault, context)
  return differs(result, after) ? after : undefined
}
