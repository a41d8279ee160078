/** What is known about the key of a client. Frozen; the pure functions below make the next one. */
export interface KeyState {
  /** The key to send; undefined before a function returned its first. */
  readonly current: string | undefined
  /** The last values, the oldest first: these are redacted. Another array whenever one is added. */
  readonly seen: readonly string[]
  /** How often the value changed. */
  readonly version: number
  /** How often the function was called. */
  readonly runs: number
  /** Which of these calls the key is from. */
  readonly receivedFrom: number
  /** When the function was last called after a 401. */
  readonly renewedAt: number
}

/** A function may return another key each time. */
const maxSeen = 8

/** Least time between two calls of the function after a 401: it may ask a secret store, or make a new key each time. */
const renewalIntervalMs = 10_000

export const noKey: KeyState = Object.freeze({
  current: undefined,
  seen: [],
  version: 0,
  runs: 0,
  receivedFrom: 0,
  renewedAt: -Infinity,
})

/** The function is called. */
export const afterCall = (state: KeyState): KeyState => Object.freeze({ ...state, runs: state.runs + 1 })

/** It is called because of a 401. */
export const afterRejection = (state: KeyState, now: number): KeyState => Object.freeze({ ...state, renewedAt: now })

/** Whether it may be called because of a 401. */
export const mayRenew = ({ renewedAt }: KeyState, now: number): boolean => now - renewedAt >= renewalIntervalMs

/** A call of it returned a key. One that is older than the last that returned counts no more. */
export const afterKey = (state: KeyState, run: number, key: string): KeyState => {
  if (run < state.receivedFrom) return state
  const { current, seen, version } = state
  if (key === current) return Object.freeze({ ...state, receivedFrom: run })
  return Object.freeze({
    ...state,
    current: key,
    seen: [...seen.filter((other) => other !== key), key].slice(-maxSeen),
    version: current === undefined ? version : version + 1,
    receivedFrom: run,
  })
}
