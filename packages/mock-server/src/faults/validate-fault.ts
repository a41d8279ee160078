import { oneOf, object, worded } from '@guild-ledger/validation'
import { nullBodyStatuses } from '../http.ts'
import { checkedFields, checkedValue } from '../type-error.ts'
import type { Fault } from './fault.ts'
import { kindFields, matcherFields } from './fault-schema.ts'

const faultObject = worded(object, "an object such as { kind: 'hang' }")
const kinds = oneOf(...Object.keys(kindFields))

/**
 * Takes a fault.
 *
 * @throws {TypeError} Its kind is unknown, or a field belongs to another kind, is missing or is not allowed.
 */
export const checkedFault = (given: Fault): Fault => {
  const { kind } = checkedValue(faultObject, 'fault', given)
  checkedValue(kinds, 'kind', kind)
  const checks = { kind: kinds, ...matcherFields, ...kindFields[kind] }
  const fault = checkedFields(checks, given, { noun: 'field', label: 'fault' })
  if (fault.kind === 'status' && nullBodyStatuses.has(fault.status)) {
    const extra = (['body', 'message'] as const).find((name) => fault[name] !== undefined)
    if (extra) throw new TypeError(`A response with status ${fault.status} has no body: leave \`${extra}\` out.`)
  }
  return fault
}
