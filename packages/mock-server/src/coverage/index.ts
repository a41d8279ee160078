/** What the requests to a mock have covered of the service. */
export { coverageOf, factsOf, type Coverage, type Covered } from './coverage.ts'
export { formatCoverage, percentOf, type CoverageKind } from './format-coverage.ts'
export { coverageVariable, createRecorder, type Recorder } from './recorder.ts'
