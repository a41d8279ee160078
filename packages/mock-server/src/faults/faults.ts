import type { Endpoint } from '@guild-ledger/sdk/contract'
import { timeOf } from '../date-time.ts'
import type { Fault } from '../fault.ts'
import type { OperationResult } from '../http.ts'
import { matches, type MatchTarget } from '../request-matcher.ts'
import { applyFault } from './apply-faults.ts'
import { checkedFault, type FaultContext } from './validate-fault.ts'

interface Counted {
  readonly fault: Fault
  readonly seen: number
  readonly met: number
}

/** A fault that was scripted, and how often it happened. */
export interface ScriptedFault {
  /** As it was given to `guild.fault`. */
  readonly fault: Fault
  /** Requests whose response it changed so far. */
  readonly happened: number
  /** Requests it will still meet; `null` for all that follow, 0 once its time is over. */
  readonly left: number | null
  /** Matching requests that still pass first. */
  readonly waits: number
}

interface FaultsState {
  readonly scripted: readonly Counted[]
  readonly randomState: number
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
const isOver = ({ fault: { times, until }, met }: Counted, now: number): boolean =>
  met === times || (until !== undefined && timeOf(until) <= now)
const isDue = (each: Counted, now: number): boolean => each.seen >= (each.fault.after ?? 0) && !isOver(each, now)

const leftOf = (each: Counted, now: number): number | null => {
  if (isOver(each, now)) return 0
  return each.fault.times === undefined ? null : each.fault.times - each.met
}

const toScriptedFault = (each: Counted, now: number): ScriptedFault => ({
  fault: { ...each.fault },
  happened: each.met,
  left: leftOf(each, now),
  waits: Math.max(0, (each.fault.after ?? 0) - each.seen),
})

export type Faults = ReturnType<typeof createFaults>

/** No fault at all until one is scripted. Same seed, same random numbers. `onMet` is called for each that meets a request. */
export const createFaults = (seed: number, onMet: (fault: Fault) => void = () => {}) => {
  let scripted: readonly Counted[] = []
  let randomState = seed | 0
  const delayed = new Set<() => void>()
  let ends = 0
  /** Ends what faults delay now. */
  const end = (): void => {
    ends++
    for (const listener of delayed) listener()
  }

  const random = (): number => {
    const [next, number] = randomStep(randomState)
    randomState = next
    return number
  }
  const happens = ({ fault: { probability } }: Counted): boolean => probability === undefined || random() < probability

  /** The first fault that happens and changes something, and what it leaves of the result. */
  const meet = (candidates: readonly Counted[], before: OperationResult, endpoint: Endpoint) => {
    for (const met of [...candidates.filter((each) => !isRandom(each)), ...candidates.filter(isRandom)]) {
      const result = happens(met) ? applyFault(before, met.fault, { endpoint, random }) : undefined
      if (result) return { met, result }
    }
    return undefined
  }

  return {
    script(fault: Fault, context: FaultContext): ScriptedFault {
      const added: Counted = { fault: checkedFault(fault, context), seen: 0, met: 0 }
      scripted = [...scripted, added]
      return toScriptedFault(added, context.now)
    },
    list: (now: number): ScriptedFault[] => scripted.map((each) => toScriptedFault(each, now)),
    clear(): void {
      scripted = []
    },
    /**
     * The result as the faults that meet a request leave it, and counts them: one at most, and one latency at most. Sure
     * ones take precedence over random ones, older over newer. One that would change nothing does not meet the request.
     * `targetOf` is called only if there are any faults.
     */
    apply(plain: OperationResult, endpoint: Endpoint, targetOf: () => MatchTarget, now: number): OperationResult {
      if (scripted.length === 0) return plain
      const target = targetOf()
      const matching = new Set(scripted.filter(({ fault }) => matches(fault, target)))
      const due = [...matching].filter((each) => isDue(each, now))
      const damage = meet(
        due.filter((each) => !isLatency(each)),
        plain,
        endpoint,
      )
      const delay = meet(due.filter(isLatency), damage?.result ?? plain, endpoint)
      const meeting = [damage, delay].filter((each) => each !== undefined).map(({ met }) => met)
      for (const { fault } of meeting) onMet(fault)
      scripted = scripted.map((each) =>
        matching.has(each) ? { ...each, seen: each.seen + 1, met: each.met + Number(meeting.includes(each)) } : each,
      )
      const result = delay?.result ?? damage?.result ?? plain
      return meeting.length > 0 ? { ...result, faults: meeting.map(({ fault }) => fault.kind) } : result
    },
    /**
     * For a response that is decided now: a function that calls a listener once what faults delay must end, at once if
     * that was before, and returns a function that removes the listener.
     */
    delay() {
      const before = ends
      return (listener: () => void) => {
        if (ends !== before) listener()
        delayed.add(listener)
        return () => void delayed.delete(listener)
      }
    },
    end,
    state: (): FaultsState => ({ scripted, randomState }),
    restore(state: FaultsState): void {
      ;({ scripted, randomState } = state)
      end()
    },
  }
}
