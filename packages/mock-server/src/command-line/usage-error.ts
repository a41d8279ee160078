/** Something on the command line is wrong; the message is all the user needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Runs a step; what it throws becomes a `UsageError` that starts with the flag the value came from. */
export const blaming = <Result>(flag: string, step: () => Result): Result => {
  try {
    return step()
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${flag}: ${(error as Error).message}`, { cause: error })
  }
}
