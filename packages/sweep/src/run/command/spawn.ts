import { spawn } from 'node:child_process'

/** How a command ended. */
export interface CommandEnd {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null
  /** What ended it, where a signal did. */
  readonly signal: NodeJS.Signals | null
  /** Whether the time was up. */
  readonly timedOut: boolean
  /** The end of what it printed. */
  readonly output: string
}

/** Milliseconds between the request to stop and the kill: test runners write their report meanwhile. */
const graceMs = 2000
/** Milliseconds to wait for the output after the end of the command: a process that it left behind may hold it open. */
const outputMs = 1000
const keptOutput = 20_000

/** Runs a command with additional environment variables, and stops it and its children when the time is up. */
export const runCommand = (
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  timeoutMs: number | undefined,
): Promise<CommandEnd> =>
  new Promise((resolve, reject) => {
    // A process group of its own, so that its children can be stopped too.
    const child = spawn(program, args, {
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let timedOut = false
    const signal = (name: NodeJS.Signals) => {
      try {
        process.kill(-(child.pid ?? 0), name)
      } catch {
        // The group has ended.
      }
    }
    const timers: NodeJS.Timeout[] = []
    const stop = () => {
      timedOut = true
      signal('SIGINT')
      timers.push(setTimeout(() => signal('SIGKILL'), graceMs))
    }
    if (timeoutMs !== undefined) timers.push(setTimeout(stop, timeoutMs))
    const exited = () => signal('SIGKILL')
    process.once('exit', exited)
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutput))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const end = () => {
      timers.forEach(clearTimeout)
      process.off('exit', exited)
    }
    child.once('error', (error) => {
      end()
      reject(error)
    })
    child.once('exit', () => {
      const close = () => [child.stdout, child.stderr].forEach((stream) => stream.destroy())
      timers.push(setTimeout(close, outputMs))
    })
    child.once('close', (exitCode, endedBy) => {
      end()
      // What ignores SIGINT may outlive the command that started it.
      if (timedOut) signal('SIGKILL')
      resolve({ exitCode, signal: endedBy, timedOut, output })
    })
  })
