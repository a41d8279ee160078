import type { Engine, Wait } from '../http.ts'

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

// A symbol, as it is for the adapters only; registered, as an adapter may come from another copy of this package.
const waitKey = Symbol.for('@guild-ledger/mock-server/wait')

/** The engine with a way to wait on the clock of its mock. Waiting ends early where `wait` rejects. */
export const withWait = <Given extends Engine>(engine: Given, wait: Wait): Given =>
  Object.defineProperty(engine, waitKey, { value: async (ms, signal) => wait(ms, signal).catch(() => {}) } satisfies {
    value: Wait
  })

/** How to wait for late responses of an engine. */
export const waitOf = (engine: Engine): Wait => (engine as { readonly [waitKey]?: Wait })[waitKey] ?? waitByTimer
