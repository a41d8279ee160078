import type { UserGroup } from '../contract/index.ts'

/** Remembers the users whose transactions were yielded, over several passes through the pages. */
export interface UserTracker {
  /** Users met. */
  readonly count: number
  readonly knows: (platformId: string) => boolean
  /** Records the users of a page, and how many there are in all. */
  readonly add: (groups: readonly UserGroup[], total: number) => void
  /** Starts the next pass. */
  readonly nextPass: () => void
  /** A user has vanished, so what was counted so far is void. */
  readonly invalidate: () => void
  /** The result has changed, without a user having vanished. */
  readonly markChanged: () => void
  /** Forgets everybody: pages count transactions. */
  readonly clear: () => void
  /** Whether as many users were met as the service counts. */
  readonly isComplete: () => boolean
  /** Whether nothing changed in this pass and no user came twice: there is nobody else, whatever the total says. */
  readonly isStable: () => boolean
}

/**
 * For pages that count users. A user with a new transaction can move to any place, also to a page that was read before.
 * No version shows that for sure, but counting does: users do not vanish unnoticed, so all were met when as many were
 * met as the service counts.
 */
export const createUserTracker = (): UserTracker => {
  /** For each user the last pass in which they were met. */
  const met = new Map<string, number>()
  let pass = 1
  let countedSince = 1
  let counted = 0
  let mostUsers = 0
  let isStable = true
  return {
    get count() {
      return met.size
    },
    knows: (platformId) => met.has(platformId),
    add(groups, total) {
      mostUsers = Math.max(mostUsers, total)
      for (const { platformId } of groups) {
        const before = met.get(platformId) ?? 0
        if (before === pass) isStable = false
        if (before < countedSince && pass >= countedSince) counted++
        met.set(platformId, pass)
      }
    },
    nextPass() {
      pass++
      isStable = true
    },
    invalidate() {
      countedSince = pass + 1
      counted = 0
      mostUsers = 0
      isStable = false
    },
    markChanged() {
      isStable = false
    },
    clear: () => met.clear(),
    isComplete: () => pass >= countedSince && counted >= mostUsers,
    isStable: () => isStable,
  }
}
