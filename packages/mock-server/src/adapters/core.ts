import type { SeenResponse } from '../service/service.ts'
import type { Engine, MockResponse, Wait } from '../http.ts'

/** How long a wait keeps a process open whose tests have ended. Jest complains after a second. */
const keepOpenMs = 900

/** Waits by timers that are looked up when they are needed, so that fake timers work. */
export const waitByTimer: Wait = async (ms, signal) => {
  if (signal?.aborted) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      clearTimeout(opener)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer: NodeJS.Timeout | number = setTimeout(end, ms)
    const opener = ms > keepOpenMs ? setTimeout(() => {}, keepOpenMs) : undefined
    // Browsers have numbers.
    if (opener && typeof timer === 'object') timer.unref()
    signal?.addEventListener('abort', end)
  })
}

/** Calls a listener when what is delayed must end; returns a function that removes the listener. */
export type OnEnd = (listener: () => void) => () => void

/** The same wait, which also ends when `onEnd` says so. It never rejects. */
export const endingWith =
  (wait: Wait, onEnd: OnEnd): Wait =>
  async (ms, signal) => {
    const ended = new AbortController()
    const end = () => ended.abort()
    const off = onEnd(end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    if (!ended.signal.aborted) await wait(ms, ended.signal).catch(() => {})
    off()
    signal?.removeEventListener('abort', end)
  }

/** The inside of a mock: what its adapters and the command line need, and tests do not. */
export interface Core {
  /** Waits on the clock of the mock before or within a response, until its guild is reset. */
  readonly waitFor: (response: MockResponse) => Wait
  /** Takes note that the client gave up before it had all of a response. */
  readonly unreceived: (response: MockResponse) => void
  /** Makes the current state of the mock and of its guilds the one that `reset` goes back to. */
  readonly keepAsBeginning: () => void
  /** The latest 20 requests with their responses, oldest first. */
  readonly seen: () => readonly SeenResponse[]
}

/** Key of the core of a mock. Registered, as an adapter may come from another copy of this package. */
export const core = Symbol.for('@guild-ledger/mock-server/core')

export interface EngineWithCore extends Engine {
  readonly [core]: Core
}

const withoutMock: Core = {
  waitFor: () => waitByTimer,
  unreceived: () => {},
  keepAsBeginning: () => {},
  seen: () => [],
}

/** The core of a mock; one that knows nothing for an engine of another kind. */
export const coreOf = (engine: Engine): Core => (engine as Partial<EngineWithCore>)[core] ?? withoutMock
