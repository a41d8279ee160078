import { isAimedAt, type Target } from '../aim.ts'
import { check } from './check.ts'
import type { Fault } from './fault.ts'

/** A failure and what became of it so far. */
interface Scripted {
  readonly fault: Fault
  /** Requests it was meant for. */
  readonly seen: number
  /** Requests it met. */
  readonly met: number
}

/** A failure that was scripted, and what became of it. */
export interface ScriptedFault {
  /** As it was given to `guild.fail`. */
  readonly fault: Fault
  /** Requests it met so far. */
  readonly happened: number
  /** Requests it will meet if they come; `null` for all that follow. */
  readonly left: number | null
  /** Requests it was meant for that it still lets pass before. */
  readonly waits: number
}

/** Where the failures stand. */
interface FaultsState {
  readonly scripted: readonly Scripted[]
  readonly dice: number
}

/** The failures scripted for one guild. */
export interface Faults {
  /**
   * @throws {TypeError} The description of the failure is wrong.
   */
  script(fault: Fault): void
  /** The failures that were scripted, oldest first; of those that are over, about the last 1,000. */
  list(): ScriptedFault[]
  /** No failures any more. */
  clear(): void
  /**
   * The failures that meet a request now (it is looked at only where there are any), which uses up one of their times: one at most, and a delay at most. Sure ones
   * go before random ones, older before newer.
   */
  next(requestOf: () => Target): readonly Fault[]
  state(): FaultsState
  restore(state: FaultsState): void
}

/** One throw of the dice (mulberry32): the next state, and a number from 0 to 1. */
const thrown = (dice: number): [dice: number, number: number] => {
  const next = (dice + 0x6d2b79f5) | 0
  let mixed = Math.imul(next ^ (next >>> 15), 1 | next)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return [next, ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32]
}

const isRandom = ({ fault }: Scripted): boolean => fault.probability !== undefined
const isDelay = ({ fault }: Scripted): boolean => fault.kind === 'latency'
const isDue = ({ fault: { after = 0, times = Infinity }, seen, met }: Scripted): boolean => seen >= after && met < times

const shown = ({ fault, seen, met }: Scripted): ScriptedFault => ({
  fault: { ...fault },
  happened: met,
  left: fault.times === undefined ? null : fault.times - met,
  waits: Math.max(0, (fault.after ?? 0) - seen),
})

const isOver = ({ fault, met }: Scripted): boolean => met === fault.times

// A server that runs for days must not fill the memory, nor look through all that ever was.
const keptOver = 1000

const withoutOldestOver = (scripted: readonly Scripted[]): readonly Scripted[] => {
  const over = scripted.filter(isOver)
  return over.length > keptOver ? scripted.filter((each) => each !== over[0]) : scripted
}

/** No failure at all until one is scripted. Same seed, same dice. */
export const createFaults = (seed: number): Faults => {
  let scripted: readonly Scripted[] = []
  let dice = seed | 0

  const hits = (candidate: Scripted): boolean => {
    const { probability } = candidate.fault
    if (probability === undefined) return true
    const [next, number] = thrown(dice)
    dice = next
    return number < probability
  }
  const firstOf = (candidates: readonly Scripted[]): Scripted | undefined =>
    candidates.find((each) => !isRandom(each)) ?? candidates.find(hits)

  return {
    script(fault) {
      check(fault)
      scripted = [...withoutOldestOver(scripted), { fault: { ...fault }, seen: 0, met: 0 }]
    },
    list: () => scripted.map(shown),
    clear() {
      scripted = []
    },
    next(requestOf) {
      if (scripted.length === 0) return []
      const request = requestOf()
      const aimed = scripted.filter((each) => isAimedAt(each.fault, request))
      const due = aimed.filter(isDue)
      const meeting = [firstOf(due.filter((each) => !isDelay(each))), firstOf(due.filter(isDelay))].filter(
        (each) => each !== undefined,
      )
      scripted = scripted.map((each) =>
        aimed.includes(each) ? { ...each, seen: each.seen + 1, met: each.met + Number(meeting.includes(each)) } : each,
      )
      return meeting.map(({ fault }) => fault)
    },
    state: () => ({ scripted, dice }),
    restore(state) {
      ;({ scripted, dice } = state)
    },
  }
}
