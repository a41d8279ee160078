import { oneOf, object, worded } from '@guild-ledger/validation'
import { timeOf } from '../date-time.ts'
import type { Fault } from '../fault.ts'
import { nullBodyStatuses } from '../http.ts'
import { checkCanMatch } from '../request-matcher.ts'
import { checkedFields, checkedValue } from '../type-error.ts'
import { targetFields } from './fault-fields.ts'
import { faultKinds } from './kinds.ts'
import { checkResponseField } from './response-fields.ts'

const faultObject = worded(object, "an object such as { kind: 'hang' }")
const kinds = oneOf(...Object.keys(faultKinds))

export interface FaultContext {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly keyIds: readonly string[]
}

const checkCanHappen = (fault: Fault, { now, keyIds }: FaultContext): void => {
  checkCanMatch(fault, keyIds)
  if (fault.kind === 'schema') checkResponseField(fault.field, fault.endpoint)
  if (fault.until === undefined || timeOf(fault.until) > now) return
  const [until, current] = [timeOf(fault.until), now].map((at) => new Date(at).toISOString())
  throw new TypeError(`\`until\` must be later than now (${current}), got ${until}`)
}

/** Passes a fault that is valid and can happen. */
export const checkedFault = (given: Fault, context: FaultContext): Fault => {
  const { kind } = checkedValue(faultObject, 'fault', given)
  checkedValue(kinds, 'kind', kind)
  const checks = { kind: kinds, ...targetFields, ...faultKinds[kind].fields }
  const fault = checkedFields(checks, given, { noun: 'field', label: 'fault' })
  if (fault.kind === 'status' && nullBodyStatuses.has(fault.status)) {
    const extra = (['body', 'message'] as const).find((name) => fault[name] !== undefined)
    if (extra) throw new TypeError(`A response with status ${fault.status} has no body: leave \`${extra}\` out.`)
  }
  checkCanHappen(fault, context)
  return fault
}
