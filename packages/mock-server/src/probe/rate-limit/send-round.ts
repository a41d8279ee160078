import type { RawResponse } from '../model/observe.ts'
import type { Traces, KeyName } from './hypotheses.ts'
import type { Round } from './plan.ts'

/** The time in ms, and how to wait. Tests have one of their own. */
export interface BurstClock {
  now(): number
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

/** A request of a burst. */
export interface Sent {
  readonly key: KeyName
  readonly round: Round
  readonly sentAt: number
  readonly receivedAt: number
  /** `undefined` if it failed. */
  readonly response: RawResponse | undefined
}

/** Rejects with the reason of the signal as soon as it is aborted, whatever the work does then. */
export const untilAborted = async <Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> => {
  if (!signal) return work
  signal.throwIfAborted()
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** The clock of the process. */
export const processClock: BurstClock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      await untilAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), signal)
    } finally {
      clearTimeout(timer)
    }
  },
}

// Longer than a second and the tolerance of the times: rejected requests may count too.
const pauseMs = 2100
const secondMs = 1000

/** Sends rounds one after the other, each after a pause and at its own part of a second. */
export const createRounds = (
  send: (key: KeyName) => Promise<RawResponse | undefined>,
  clock: BurstClock,
  signal: AbortSignal | undefined,
) => {
  let first: number | undefined
  return async (round: Round): Promise<Sent[]> => {
    const { phase, steps } = round
    const earliest = clock.now() + pauseMs
    first ??= earliest - phase
    const late = (((earliest - first - phase) % secondMs) + secondMs) % secondMs
    const start = earliest + (late === 0 ? 0 : secondMs - late)
    const sendOne = async (key: KeyName): Promise<Sent> => {
      const sentAt = clock.now()
      const response = await send(key)
      return { key, round, sentAt, receivedAt: clock.now(), response }
    }
    const sent: Promise<Sent>[] = []
    for (const { at, count, key } of steps) {
      const wait = start + at - clock.now()
      if (wait > 0) await clock.sleep(wait, signal)
      sent.push(...Array.from({ length: count }, async () => sendOne(key)))
    }
    return untilAborted(Promise.all(sent), signal)
  }
}

/** The statuses of requests that were accepted: an empty ledger may respond with 404. */
const acceptedStatuses = new Set([200, 404])

/** Whether a response is one of those that a service sends above its rate limit. */
export const isRejected = (response: RawResponse | undefined): boolean =>
  response?.status === 429 || response?.status === 503

/** Whether every request was accepted or rejected, in one way: a mix of 429 and 503 has a second cause. */
export const areClear = (sent: readonly Sent[]): boolean =>
  new Set(
    sent
      .map(({ response }) => response)
      .filter(isRejected)
      .map((response) => response?.status),
  ).size <= 1 &&
  sent.every(({ response }) => response && (acceptedStatuses.has(response.status) || isRejected(response)))

/**
 * When the service may have counted each request. What each needed longer than the fastest one it may have spent on the
 * way there or back.
 */
export const tracesOf = (sent: readonly Sent[]): Traces => {
  const fastest = Math.min(...sent.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
  const traces: Partial<Record<KeyName, { from: number; to: number; isAccepted: boolean }[]>> = {}
  for (const { key, sentAt, receivedAt, response } of sent) {
    const counted = { from: sentAt, to: receivedAt - fastest, isAccepted: !isRejected(response) }
    ;(traces[key] ??= []).push(counted)
  }
  return traces
}
