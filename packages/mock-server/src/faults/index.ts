/** What goes wrong, for which requests, and what it makes of a reply. */
export { nullBody } from './check.ts'
export { checkShown, cutAt, FaultNotShownError, type Door } from './doors.ts'
export type { Fault, FaultKind } from './fault.ts'
export { createFaults, type Faults, type ScriptedFault } from './faults.ts'
export { aimFields, kindFields, type FaultFields } from './fields.ts'
export { spoiled, type Answer, type Ending, type RefusedBy, type Story } from './spoil.ts'
