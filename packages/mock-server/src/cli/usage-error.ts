/** Something on the command line is wrong; the message is all the user needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
