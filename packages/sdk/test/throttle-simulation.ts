import { createThrottle, type Throttle, type ThrottleOptions } from '@guild-ledger/sdk'
import type { Clock, Permit } from '@guild-ledger/sdk/throttle'
import { createRandom, createVirtualTime, judgeArrivals, type Arrivals } from '@guild-ledger/test-kit'

/** The network, and what the client's machine does meanwhile. All times in milliseconds. */
export interface Network {
  /** From the moment a request is written to its arrival; `i` counts requests. */
  readonly inbound: (i: number, random: () => number) => number
  /** From the arrival to the sight of the response. */
  readonly outbound: (i: number, random: () => number) => number
  /** Gives a request up that has no response after so long. It may still arrive: `inbound` is then at most `longest`. */
  readonly giveUp?: { readonly afterMs: number; readonly longest: number }
  /** Share of requests that get a 503 and are retried. */
  readonly failing?: number
  /** The event loop stands still every five seconds: nothing is written or seen and no timer fires for so long. */
  readonly stallMs?: number
  /** Timers fire up to so much early. */
  readonly earlyMs?: number
  /** The client's clock runs so much too fast. */
  readonly clockDrift?: number
}

/** How a client uses its throttle; the careless ones must be caught. */
export interface ThrottleUse {
  readonly wrapClock?: (clock: Clock) => Clock
  readonly wrapThrottle?: (throttle: Throttle) => Throttle
  readonly retriesFreely?: boolean
  readonly options?: ThrottleOptions
}

/** Every 5 s the loop stalls once, at a time that changes; returns the end of the stall that `time` falls into. */
const stalls =
  (stallMs: number) =>
  (time: number): number => {
    const round = Math.floor(time / 5000)
    const begin = round * 5000 + ((round * 1237) % 4000)
    return time >= begin && time < begin + stallMs ? begin + stallMs : time
  }

/** Sends `count` requests as fast as the throttle lets them, and judges how they arrived. */
export const simulate = async (
  network: Network,
  client: ThrottleUse,
  count: number,
  seed: number,
): Promise<Arrivals> => {
  const { clockDrift = 0, earlyMs = 0, stallMs = 0, failing = 0, giveUp } = network
  const random = createRandom(seed)
  const awake = stalls(stallMs)
  const time = createVirtualTime((due) => awake(due - earlyMs * random()))
  const fast: Clock = {
    ...time.clock,
    now: () => time.now() * (1 + clockDrift),
    setTimeout: (callback, ms) => time.clock.setTimeout(callback, ms / (1 + clockDrift)),
  }
  const clock = client.wrapClock?.(fast) ?? fast
  const plain = createThrottle({ clock, ...client.options })
  const throttle = client.wrapThrottle?.(plain) ?? plain
  // The loop may stall after the clock was read and before the request is written.
  const write = (now: number) => (awake(now + 0.5) > now + 0.5 ? awake(now + 0.5) : now)
  const arrivals: number[] = []
  let sent = 0
  // A client without a time limit says so, because a slot ends by itself some time after the limit.
  const acquire = async () => throttle.acquire({ attemptTimeoutMs: giveUp?.afterMs ?? 1e9 })

  const send = (permit?: Permit): void => {
    const i = sent++
    const written = write(time.now())
    const arrives = written + Math.min(network.inbound(i, random), giveUp?.longest ?? Infinity)
    const seen = awake(arrives + network.outbound(i, random))
    const givesUp = giveUp && seen - time.now() > giveUp.afterMs ? awake(time.now() + giveUp.afterMs) : Infinity
    const status = random() < failing ? 503 : 200
    arrivals.push(arrives)
    time.at(Math.min(seen, givesUp), () => {
      permit?.release(seen <= givesUp ? { kind: 'completed', status } : { kind: 'aborted' })
      if (seen > givesUp) time.at(seen, () => permit?.release({ kind: 'completed', status }))
      const isRetried = status === 503 && seen <= givesUp
      if (isRetried && client.retriesFreely) send()
      else if (sent < count) void acquire().then(send)
    })
  }

  for (let i = 0; i < 30; i++) void acquire().then(send)
  await time.run()
  return judgeArrivals(arrivals)
}
