import type { Priority } from './throttle.ts'

/** While both kinds wait, one turn in five goes to background work: it is slowed down, never stopped. */
const interactiveInARow = 4

export const first = <Member>(members: ReadonlySet<Member>): Member | undefined => members.values().next().value

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
    /** Whose turn it is, counted as a turn: the member is still to be deleted. */
    take(): Member | undefined {
      const from = nextLane()
      const member = first(from)
      inARow = from === interactive && background.size > 0 ? inARow + 1 : 0
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
