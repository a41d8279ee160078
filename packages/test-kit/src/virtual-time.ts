/** A clock as throttles take it. */
export interface VirtualClock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

/** Time that a test moves by itself: events happen in order of their time, and none takes any. */
export interface VirtualTime {
  readonly clock: VirtualClock
  now(): number
  /** Calls `event` at `time`, or now if that is past. */
  at(time: number, event: () => void): void
  /** Lives through everything up to `time`, by default until nothing more is planned. */
  run(until?: number): Promise<void>
  /** Timers set and not yet fired or cleared. */
  readonly timers: number
}

interface Event {
  readonly time: number
  readonly order: number
  happen: (() => void) | undefined
}

const isBefore = (a: Event, b: Event): boolean => a.time < b.time || (a.time === b.time && a.order < b.order)

/**
 * `firesAt` gives the time at which a timer really fires that is due at a time: early or late. `settle` gives promises
 * that are settled the time to run their callbacks.
 */
export const createVirtualTime = (firesAt = (due: number): number => due, settle = microtasks): VirtualTime => {
  // A binary heap, soonest on top.
  const heap: Event[] = []
  let now = 0
  let order = 0
  let timers = 0

  const at = (time: number, happen: () => void): Event => {
    const event: Event = { time: Math.max(time, now), order: order++, happen }
    let i = heap.length
    for (let up = (i - 1) >> 1; i > 0; i = up, up = (i - 1) >> 1) {
      const parent = heap[up]
      if (!parent || !isBefore(event, parent)) break
      heap[i] = parent
    }
    heap[i] = event
    return event
  }

  const soonest = (): Event | undefined => {
    const top = heap[0]
    const last = heap.pop()
    if (!top || !last || heap.length === 0) return top
    let i = 0
    for (;;) {
      let down = 2 * i + 1
      let child = heap[down]
      const right = heap[down + 1]
      if (child && right && isBefore(right, child)) {
        child = right
        down++
      }
      if (!child || !isBefore(child, last)) break
      heap[i] = child
      i = down
    }
    heap[i] = last
    return top
  }

  return {
    clock: {
      now: () => now,
      setTimeout(callback, ms) {
        timers++
        return at(firesAt(now + ms), () => {
          timers--
          callback()
        })
      },
      clearTimeout(timer) {
        const event = timer as Event | undefined // real timers accept undefined, too
        if (!event) return
        if (event.happen) timers--
        event.happen = undefined
      },
    },
    now: () => now,
    at: (time, event) => void at(time, event),
    async run(until = Infinity) {
      await settle()
      while (heap[0] && heap[0].time <= until) {
        const event = soonest()
        if (!event?.happen) continue
        now = event.time
        const { happen } = event
        event.happen = undefined
        happen()
        await settle()
      }
      if (until !== Infinity) now = Math.max(now, until)
    },
    get timers() {
      return timers
    },
  }
}

const microtasks = async (): Promise<void> => {
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
}
