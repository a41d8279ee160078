import type { SeenResponse } from '../service/service.ts'
import type { Engine, MockResponse, Wait } from '../http.ts'

/** Waits by timers that are looked up when they are needed, so that fake timers work. */
export const waitByTimer: Wait = async (ms, signal) => {
  if (signal?.aborted) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

/** The inside of a mock: what its adapters and the command line need, and tests do not. */
export interface Core {
  /** Waits on the clock of the mock. It ends early where it rejects. */
  readonly wait: Wait
  /** Takes note that the client gave up before it had all of a response. */
  readonly unreceived: (response: MockResponse) => void
  /** Makes the current state of the mock and of its guilds the one that `reset` goes back to. */
  readonly keepAsBeginning: () => void
  /** The latest 20 requests with their responses, oldest first. */
  readonly seen: () => readonly SeenResponse[]
}

/** Key of the core of a mock. Registered, as an adapter may come from another copy of this package. */
export const core = Symbol.for('@guild-ledger/mock-server/core')

/** An engine with its core. */
export interface EngineWithCore extends Engine {
  readonly [core]: Core
}

const withoutMock: Core = { wait: waitByTimer, unreceived: () => {}, keepAsBeginning: () => {}, seen: () => [] }

/** The core of a mock; one that knows nothing for an engine of another kind. */
export const coreOf = (engine: Engine): Core => (engine as Partial<EngineWithCore>)[core] ?? withoutMock
