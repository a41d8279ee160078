/** What the sweep was given cannot be swept; the message is all the user needs. */
export class SweepInputError extends Error {
  /** `'SweepInputError'`. */
  override readonly name = 'SweepInputError'
}
