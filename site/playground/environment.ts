/**
 * What Node has and a worker lacks. The worker imports this module first, because the SDK looks for a tracing channel when
 * it is loaded.
 */
import type { RequestTrace } from '../../packages/sdk/src/index.ts'

/** A call of the SDK that has no request on the way. */
interface WaitingCall {
  readonly endpoint: string
  /** When the call was made, or when its last attempt failed, in milliseconds. */
  since: number
}
const waiting = new Set<WaitingCall>()

const tracingChannel = () => ({
  hasSubscribers: true,
  async tracePromise<T>(work: () => Promise<T>, { endpoint }: RequestTrace): Promise<T> {
    const call: WaitingCall = { endpoint, since: performance.now() }
    waiting.add(call)
    try {
      return await work()
    } finally {
      waiting.delete(call)
    }
  },
})

const segmentsOf = (path: string): number => path.split('/').length

/**
 * Tells how long the request that is sent now has waited for its turn or its retry: that of the longest waiting call.
 * `onFailure` is for a response after which the call may be sent again.
 */
export const sendNext = (path: string) => {
  const call = [...waiting].find(({ endpoint }) => segmentsOf(endpoint) === segmentsOf(path))
  const now = performance.now()
  if (call) waiting.delete(call)
  return {
    waitedMs: now - (call?.since ?? now),
    onFailure() {
      if (call) waiting.add(Object.assign(call, { since: performance.now() }))
    },
  }
}

/** As in Node, a timer keeps the program running unless it is unreferenced. */
class Timer {
  static readonly running = new Set<Timer>()
  readonly id: number
  constructor(start: (onFire: () => void) => number, isRepeated: boolean, callback: () => void) {
    this.id = start(() => {
      if (!isRepeated) Timer.running.delete(this)
      callback()
    })
    Timer.running.add(this)
  }
  unref(): this {
    Timer.running.delete(this)
    return this
  }
  ref(): this {
    Timer.running.add(this)
    return this
  }
}

/** Whether a timer is left that keeps the program running. */
export const hasTimers = (): boolean => Timer.running.size > 0

/** The worker's own timers, which do not keep a program running. */
export const { setInterval: repeat } = globalThis

type Callback = (...args: unknown[]) => void
const { setTimeout, setInterval, clearTimeout } = globalThis
const clear = (timer: unknown) => {
  if (!(timer instanceof Timer)) return
  Timer.running.delete(timer)
  clearTimeout(timer.id) // for intervals too
}

/** Set before the snippet starts. */
export const env: Record<string, string> = {}

Object.assign(globalThis, {
  process: {
    env,
    // Signals do not come, so their listeners never run.
    once() {},
    on() {},
    getBuiltinModule: (name: string) => (name === 'node:diagnostics_channel' ? { tracingChannel } : undefined),
  },
  setTimeout: (callback: Callback, ms?: number, ...args: unknown[]) =>
    new Timer(
      (onFire) => Number(setTimeout(onFire, ms)),
      false,
      () => callback(...args),
    ),
  setInterval: (callback: Callback, ms?: number, ...args: unknown[]) =>
    new Timer(
      (onFire) => Number(setInterval(onFire, ms)),
      true,
      () => callback(...args),
    ),
  clearTimeout: clear,
  clearInterval: clear,
})
