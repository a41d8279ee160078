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

/** What an engine offers to the adapters only. */
export interface Hooks {
  /** Waits on the clock of the mock. It ends early where it rejects. */
  readonly wait: Wait
  /** Takes note that the client gave up before it had all of a response. */
  readonly unreceived: (response: MockResponse) => void
}

// A symbol, as they are no part of what tests use; registered, as an adapter may come from another copy of this package.
const hooksKey = Symbol.for('@guild-ledger/mock-server/hooks')

/** The engine with what its adapters need. */
export const withHooks = <Given extends Engine>(engine: Given, { wait, unreceived }: Hooks): Given =>
  Object.defineProperty(engine, hooksKey, {
    value: { wait: async (ms, signal) => wait(ms, signal).catch(() => {}), unreceived } satisfies Hooks,
  })

const withoutMock: Hooks = { wait: waitByTimer, unreceived: () => {} }

/** What an engine offers to the adapters. */
export const hooksOf = (engine: Engine): Hooks => (engine as { readonly [hooksKey]?: Hooks })[hooksKey] ?? withoutMock
