import type { Priority } from './throttle.ts'

/** While both kinds wait, one turn in five goes to background work: it is slowed down, never stopped. */
const interactiveInARow = 4

/** Something that waits: a link in the list of its priority, so that it can leave from the middle. */
export interface Link {
  readonly priority: Priority
  before?: this | undefined
  after?: this | undefined
}

interface Lane<T> {
  first: T | undefined
  last: T | undefined
  size: number
}

/** Two waiting lines, one for each priority, in the order in which their members get their turn. */
export interface Queue<T> {
  readonly size: number
  count(priority: Priority): number
  first(priority: Priority): T | undefined
  add(member: T): void
  /** Removes a member from wherever it stands. */
  remove(member: T): void
  /** Whose turn it is. */
  next(): T | undefined
  /** Removes the member whose turn it is. */
  take(): T | undefined
}

export const createQueue = <T extends Link>(): Queue<T> => {
  const lanes: Record<Priority, Lane<T>> = {
    interactive: { first: undefined, last: undefined, size: 0 },
    background: { first: undefined, last: undefined, size: 0 },
  }
  const { interactive, background } = lanes
  let inARow = 0

  const nextLane = (): Lane<T> =>
    background.first && (!interactive.first || inARow >= interactiveInARow) ? background : interactive

  const queue: Queue<T> = {
    get size() {
      return interactive.size + background.size
    },
    count: (priority) => lanes[priority].size,
    first: (priority) => lanes[priority].first,
    add(member) {
      const lane = lanes[member.priority]
      member.before = lane.last
      if (lane.last) lane.last.after = member
      else lane.first = member
      lane.last = member
      lane.size++
    },
    remove({ priority, before, after }) {
      const lane = lanes[priority]
      if (before) before.after = after
      else lane.first = after
      if (after) after.before = before
      else lane.last = before
      lane.size--
    },
    next: () => nextLane().first,
    take() {
      const lane = nextLane()
      const member = lane.first
      if (!member) return undefined
      inARow = lane === interactive && background.first ? inARow + 1 : 0
      queue.remove(member)
      return member
    },
  }
  return queue
}
