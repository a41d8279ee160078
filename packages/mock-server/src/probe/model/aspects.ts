/** The parts of a response that are compared one by one. */
export const aspects = [
  'status',
  'page',
  'limit',
  'total',
  'totalPages',
  'groupCount',
  'transactionCount',
  'transactions',
  'order',
  'groups',
  'totalTransactions',
  'totalValue',
  'uniqueUsers',
  'createdAtFormat',
] as const

/** A part of a response. */
export type Aspect = (typeof aspects)[number]

/** What was seen of each aspect. An error response has a status only. */
export type Observation = Partial<Record<Aspect, string>>

/** A test of an aspect that may have more than one value. */
export interface AspectTest {
  /** The same for the same test. */
  readonly name: string
  accepts(observed: string): boolean
  /** A value that it accepts. */
  readonly example: string
}

/** What an aspect must be: a value, or a test; `undefined` if anything fits. */
export type Prediction = string | AspectTest | undefined

/** Whether a prediction allows what was observed. */
export const allows = (prediction: Prediction, observed: string): boolean =>
  typeof prediction === 'object' ? prediction.accepts(observed) : prediction === undefined || prediction === observed

/** A sum without the digits that depend on the order of addition. */
export const roundSum = (sum: number): string => String(Number(sum.toPrecision(10)))
