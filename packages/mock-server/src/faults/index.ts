/** Scripted faults: which requests they meet, and what they do to a response. */
export { applyFaults, internalError } from './apply-faults.ts'
export type { Fault } from './fault.ts'
export { createFaults, type Faults, type ScriptedFault } from './faults.ts'
export { kindFields, matcherFields, type FaultFields } from './fault-schema.ts'
