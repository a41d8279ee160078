/** Scripted faults: which requests they meet, and what they do to a response. */
export type { Distribution, Fault } from '../fault.ts'
export { createFaults, type Faults, type ScriptedFault } from './faults.ts'
export { stubFields, type FaultFields } from './fault-fields.ts'
export { faultKinds } from './kinds.ts'
