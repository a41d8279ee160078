/** What the spec leaves unspecified, as data, and the values that the mock assumes. */
export {
  assume,
  assumptionDefinitions,
  checkedAssumptions,
  parseAssumptionList,
  type AssumptionKey,
  type Assumptions,
} from './values.ts'
export { alternativesTo, changedValues, formatAssumptions, formatQuestions, type Alternative } from './alternatives.ts'
export {
  assumeVariable,
  processWideAssumptions,
  processWideTrace,
  setProcessWide,
  traceVariable,
  type ProcessWide,
  type TraceEvent,
} from './process-wide.ts'
export { recordReads } from './record-reads.ts'
export { createEffectiveAssumptions, type EffectiveAssumptions } from './effective.ts'
export type { AssumptionDefinition } from './definition.ts'
