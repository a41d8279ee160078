import { isatty } from 'node:tty'
import { CommandError, exitCodes } from './exit.ts'

/** Runs work that Ctrl+C and SIGTERM end in order; a second signal ends the program at once. */
export const untilSignal = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController()
  const end = (sentence: string, exitCode: number) => () => {
    if (controller.signal.aborted) process.exit(exitCode)
    controller.abort(new CommandError(sentence, exitCode))
  }
  const handlers = {
    SIGINT: end('interrupted', exitCodes.interrupted),
    SIGTERM: end('ended by SIGTERM', exitCodes.endedEarly),
    // Without a terminal it was not closed: Node undoes what `nohup` does, which leaves the program none.
    SIGHUP: [0, 1, 2].some(isatty) ? end('ended because the terminal was closed', exitCodes.endedEarly) : () => {},
  }
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler)
  try {
    return await work(controller.signal)
  } finally {
    // After the first signal they stay until the program has ended.
    if (!controller.signal.aborted) for (const [name, handler] of Object.entries(handlers)) process.off(name, handler)
  }
}
