/** The user or the system ended a command. */
export class Interrupted extends Error {
  /** 128 and the number of the signal, as shells have it. */
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/**
 * Runs a step that Ctrl+C and SIGTERM end through its signal. A second one ends the process at once.
 *
 * @throws {Interrupted} The step was ended.
 */
export const untilSignal = async <Result>(step: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const controller = new AbortController()
  const interrupted = () => controller.abort(new Interrupted(130))
  const terminated = () => controller.abort(new Interrupted(143))
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', terminated)
  try {
    return await step(controller.signal)
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', terminated)
  }
}
