/**
 * What the spec leaves unspecified, as data, and the service as a function of it: what the sweep and the probe are built
 * on.
 *
 * @module @guild-ledger/mock-server/assumptions
 */
export {
  alternativesTo,
  changedValues,
  formatAssumptions,
  formatQuestions,
  type Alternative,
} from './assumptions/alternatives.ts'
export {
  assume,
  assumptionDefinitions,
  checkedAssumptions,
  parseAssumptionList,
  type AssumptionKey,
  type Assumptions,
} from './assumptions/values.ts'
export {
  assumeVariable,
  setProcessWide,
  traceVariable,
  type ProcessWide,
  type TraceEvent,
} from './assumptions/process-wide.ts'
export { recordReads } from './assumptions/record-reads.ts'
export { nameComparisons } from './store/order.ts'
export type { AssumptionDefinition } from './assumptions/definition.ts'
export {
  loadLedger,
  respond,
  type KeyState,
  type LoadedLedger,
  type ModelRequest,
  type ModelResponse,
} from './answer/model.ts'
