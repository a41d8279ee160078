import { ThrottleError } from '../errors/index.ts'
import type { ThrottledCall } from './limiter/limiter.ts'
import type { Permit, Priority } from './types.ts'

/** While both kinds wait, one turn in five goes to background work: it is slowed down, never stopped. */
const interactiveInARow = 4

const first = <Member>(members: ReadonlySet<Member>): Member | undefined => members.values().next().value

/** Two lanes, one for each priority, in the order in which their members get their turn. */
export const createQueue = <Member extends { readonly priority: Priority }>() => {
  const interactive = new Set<Member>()
  const background = new Set<Member>()
  /** Members of one priority, the first one first. */
  const lane = (priority: Priority): Set<Member> => (priority === 'interactive' ? interactive : background)
  let inARow = 0

  const nextLane = () =>
    background.size > 0 && (interactive.size === 0 || inARow >= interactiveInARow) ? background : interactive

  return {
    get size() {
      return interactive.size + background.size
    },
    lane: lane as (priority: Priority) => ReadonlySet<Member>,
    /** A member that is in the queue already keeps its place. */
    add: (member: Member) => void lane(member.priority).add(member),
    delete: (member: Member) => void lane(member.priority).delete(member),
    /** Whose turn it is. */
    next: () => first(nextLane()),
    /** Whose turn it is, counted as a turn: the member leaves. */
    take(): Member | undefined {
      const from = nextLane()
      const member = first(from)
      inARow = from === interactive && background.size > 0 ? inARow + 1 : 0
      if (member) from.delete(member)
      return member
    },
    /** How many get their turn before a new member. */
    ahead: (priority?: Priority): number =>
      interactive.size +
      (priority === 'background'
        ? background.size
        : Math.min(background.size, Math.floor((inARow + interactive.size) / interactiveInARow))),
  }
}

export type Queue<Member extends { readonly priority: Priority }> = ReturnType<typeof createQueue<Member>>

/** A call in the queue. It leaves with a permit, or with an error. */
export interface WaitingCall {
  readonly call: ThrottledCall
  readonly priority: Priority
  readonly settle: (permit: Permit | Promise<never>) => void
}

/** The error of a call that finds the queue full. */
export const queueFull = (size: number): ThrottleError =>
  new ThrottleError('queue_full', `${size} calls wait: start fewer at once, or raise maxQueue in every client`)

/** Queues a call. `onEmpty` is called if it leaves by its signal, and was the last one. */
export const enqueue = (queue: Queue<WaitingCall>, call: ThrottledCall, maxQueue: number, onEmpty: () => void) => {
  const { signal, priority = 'interactive' } = call
  const { size } = queue.lane('interactive')
  // Background work does not count: paginators limit how many pages they request ahead.
  if (priority === 'interactive' && size >= maxQueue) return Promise.reject(queueFull(size))
  return new Promise<Permit>((resolve) => {
    const settle = (permit: Permit | Promise<never>): void => {
      queue.delete(waiting)
      signal?.removeEventListener('abort', abort)
      resolve(permit)
    }
    const waiting: WaitingCall = { call, priority, settle }
    const abort = (): void => {
      settle(Promise.reject(signal?.reason))
      if (queue.size === 0) onEmpty()
    }
    queue.add(waiting)
    signal?.addEventListener('abort', abort)
  })
}
