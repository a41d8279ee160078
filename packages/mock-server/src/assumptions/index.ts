/** What the document leaves open, as data, and the mock's answers to it. */
export { assume, assumptionFrom, assumptionRows, type AssumptionKey, type Assumptions } from './assumptions.ts'
export { createReadings, type Readings } from './readings.ts'
export type { AssumptionRow } from './row.ts'
export { suggestion } from './suggestion.ts'
