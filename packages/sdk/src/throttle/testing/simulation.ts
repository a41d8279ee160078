import type { Clock } from '../clock.ts'
import { createThrottle } from '../in-process.ts'
import type { ThrottleOptions } from '../options.ts'
import type { Permit, Throttle } from '../throttle.ts'
import { createVirtualTime } from './virtual-time.ts'

/** The ways to and from the service, and what the client's machine does meanwhile. All times in milliseconds. */
export interface World {
  /** From the moment a request is written to its arrival; `i` counts requests. */
  readonly inbound: (i: number, random: () => number) => number
  /** From the arrival to the sight of the reply. */
  readonly outbound: (i: number, random: () => number) => number
  /** Gives a request up that has no reply after so long. It may still arrive: `inbound` is then at most `longest`. */
  readonly giveUp?: { readonly afterMs: number; readonly longest: number }
  /** Share of requests answered 503, and sent again. */
  readonly failing?: number
  /** The event loop stands still now and then: nothing is written, seen or woken for so long. */
  readonly stallMs?: number
  /** Timers fire up to so much early. */
  readonly earlyMs?: number
  /** The client's clock runs so much too fast. */
  readonly clockDrift?: number
}

/** How a client uses its throttle; the careless ones are there to be caught. */
export interface Client {
  readonly wrapClock?: (clock: Clock) => Clock
  readonly wrapThrottle?: (throttle: Throttle) => Throttle
  readonly retriesFreely?: boolean
  readonly options?: ThrottleOptions
}

export interface Run {
  /** Requests that arrived as the eleventh or later in some half-open second. */
  readonly over: number
  /** Most arrivals in any half-open second. */
  readonly most: number
  readonly arrivals: number
  readonly perSecond: number
}

/** A small generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
const createRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

/** Judges arrivals the way an exact sliding window does, without any tolerance. */
export const judge = (times: ArrayLike<number>, limit = 10): Run => {
  const sorted = Float64Array.from(times).toSorted()
  let over = 0
  let most = 0
  let first = 0
  sorted.forEach((time, i) => {
    while (time - (sorted[first] ?? 0) >= 1000) first++
    most = Math.max(most, i - first + 1)
    if (i - first >= limit) over++
  })
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  return { over, most, arrivals: sorted.length, perSecond: (sorted.length / span) * 1000 }
}

/** Every 5 s the loop stalls once, at a moment that changes; gives the end of the stall that `time` falls into. */
const stalls =
  (stallMs: number) =>
  (time: number): number => {
    const round = Math.floor(time / 5000)
    const begin = round * 5000 + ((round * 1237) % 4000)
    return time >= begin && time < begin + stallMs ? begin + stallMs : time
  }

/** Sends `count` requests as fast as the throttle lets them, and tells how they arrived. */
export const simulate = async (world: World, client: Client, count: number, seed: number): Promise<Run> => {
  const { clockDrift = 0, earlyMs = 0, stallMs = 0, failing = 0, giveUp } = world
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
  // The loop may stall between the look at the clock and the write.
  const write = (now: number) => (awake(now + 0.5) > now + 0.5 ? awake(now + 0.5) : now)
  const arrivals: number[] = []
  let sent = 0

  const send = (permit?: Permit): void => {
    const i = sent++
    const written = write(time.now())
    const arrives = written + Math.min(world.inbound(i, random), giveUp?.longest ?? Infinity)
    const seen = awake(arrives + world.outbound(i, random))
    const givesUp = giveUp && seen - time.now() > giveUp.afterMs ? awake(time.now() + giveUp.afterMs) : Infinity
    const status = random() < failing ? 503 : 200
    arrivals.push(arrives)
    time.at(Math.min(seen, givesUp), () => {
      permit?.release(
        seen <= givesUp ? { kind: 'answered', status } : { kind: 'abandoned', mayArriveForMs: giveUp?.longest ?? 0 },
      )
      const again = status === 503 && seen <= givesUp
      if (again && client.retriesFreely) send()
      else if (sent < count) void throttle.acquire().then(send)
    })
  }

  for (let i = 0; i < 30; i++) void throttle.acquire().then(send)
  await time.run()
  return judge(arrivals)
}
