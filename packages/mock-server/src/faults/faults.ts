import { matches, type MatchTarget } from '../request-matcher.ts'
import type { Fault } from './fault.ts'
import { checkedFault } from './validate-fault.ts'

/** A fault and its counters. */
interface Counted {
  readonly fault: Fault
  /** Requests that matched it. */
  readonly seen: number
  /** Requests that it met. */
  readonly met: number
}

/** A fault that was scripted, and how often it happened. */
export interface ScriptedFault {
  /** As it was given to `guild.fault`. */
  readonly fault: Fault
  /** Requests it met so far. */
  readonly happened: number
  /** Requests it will still meet; `null` for all that follow. */
  readonly left: number | null
  /** Matching requests that still pass first. */
  readonly waits: number
}

interface FaultsState {
  readonly scripted: readonly Counted[]
  readonly randomState: number
}

/** The faults scripted for one guild. */
export interface Faults {
  /**
   * @throws {TypeError} The fault is not valid.
   */
  script(fault: Fault): void
  /** The faults that were scripted, oldest first; of those that are over, about the last 1,000. */
  list(): ScriptedFault[]
  /** Removes all faults. */
  clear(): void
  /**
   * The faults that meet a request now, and counts them: one at most, and one latency at most. Sure ones take precedence
   * over random ones, older over newer. `targetOf` is called only if there are any faults.
   */
  next(targetOf: () => MatchTarget): readonly Fault[]
  state(): FaultsState
  restore(state: FaultsState): void
}

/** One step of mulberry32: the next state, and a number from 0 to 1. */
const randomStep = (state: number): [state: number, number: number] => {
  const next = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(next ^ (next >>> 15), 1 | next)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return [next, ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32]
}

const isRandom = ({ fault }: Counted): boolean => fault.probability !== undefined
const isLatency = ({ fault }: Counted): boolean => fault.kind === 'latency'
const isDue = ({ fault: { after = 0, times = Infinity }, seen, met }: Counted): boolean => seen >= after && met < times
const isOver = ({ fault, met }: Counted): boolean => met === fault.times

const toScriptedFault = ({ fault, seen, met }: Counted): ScriptedFault => ({
  fault: { ...fault },
  happened: met,
  left: fault.times === undefined ? null : fault.times - met,
  waits: Math.max(0, (fault.after ?? 0) - seen),
})

// A server that runs for days must not fill the memory, nor search through all faults there ever were.
const keptOver = 1000

const withoutOldestOver = (scripted: readonly Counted[]): readonly Counted[] => {
  const over = scripted.filter(isOver)
  return over.length > keptOver ? scripted.filter((each) => each !== over[0]) : scripted
}

/** No fault at all until one is scripted. Same seed, same random numbers. */
export const createFaults = (seed: number): Faults => {
  let scripted: readonly Counted[] = []
  let randomState = seed | 0

  const happens = ({ fault: { probability } }: Counted): boolean => {
    if (probability === undefined) return true
    const [next, number] = randomStep(randomState)
    randomState = next
    return number < probability
  }
  const firstOf = (candidates: readonly Counted[]): Counted | undefined =>
    candidates.find((each) => !isRandom(each)) ?? candidates.find(happens)

  return {
    script(fault) {
      scripted = [...withoutOldestOver(scripted), { fault: checkedFault(fault), seen: 0, met: 0 }]
    },
    list: () => scripted.map(toScriptedFault),
    clear() {
      scripted = []
    },
    next(targetOf) {
      if (scripted.length === 0) return []
      const target = targetOf()
      const matching = scripted.filter(({ fault }) => matches(fault, target))
      const due = matching.filter(isDue)
      const meeting = [firstOf(due.filter((each) => !isLatency(each))), firstOf(due.filter(isLatency))].filter(
        (each) => each !== undefined,
      )
      scripted = scripted.map((each) =>
        matching.includes(each)
          ? { ...each, seen: each.seen + 1, met: each.met + Number(meeting.includes(each)) }
          : each,
      )
      return meeting.map(({ fault }) => fault)
    },
    state: () => ({ scripted, randomState }),
    restore(state) {
      ;({ scripted, randomState } = state)
    },
  }
}
