/**
 * What the spec leaves unspecified, as data, and the service as a function of it: what the sweep and the probe are built
 * on.
 *
 * @module @guild-ledger/mock-server/assumptions
 */
export {
  alternativesTo,
  assume,
  assumptionDefinitions,
  assumeVariable,
  changedValues,
  checkedAssumptions,
  formatAssumptions,
  formatQuestions,
  parseAssumptionList,
  recordReads,
  setProcessWide,
  traceVariable,
  type Alternative,
  type AssumptionDefinition,
  type AssumptionKey,
  type Assumptions,
  type ProcessWide,
  type TraceEvent,
} from './assumptions/index.ts'
export {
  loadLedger,
  respond,
  type KeyState,
  type LoadedLedger,
  type ModelRequest,
  type ModelResponse,
} from './answer/model.ts'
