import type { UserGroup } from '../contract/index.ts'

/** Remembers whose transactions were yielded, over several passes through the pages. */
export interface Users {
  readonly knows: (platformId: string) => boolean
  /** Takes note of the users of a page and of how many there are in all. */
  readonly add: (groups: readonly UserGroup[], total: number) => void
  /** Begins the next pass. */
  readonly nextPass: () => void
  /** Somebody has vanished, so that what was counted so far means nothing. */
  readonly spoil: () => void
  /** Something has changed, without anybody having vanished. */
  readonly disturb: () => void
  /** Whether everybody the service knows of has been met. */
  readonly isComplete: () => boolean
  /** Whether nothing changed in this pass and nobody came twice: there is nobody else, whatever the total says. */
  readonly isQuiet: () => boolean
}

/**
 * For pages that count users. A user who gets a transaction can move to any place, also to a page that is done with.
 * No stamp shows it for sure, but counting does: users do not vanish without notice, so all have been met when as many
 * have been met as there are.
 */
export const createUsers = (): Users => {
  /** For each user the last pass in which they were met. */
  const met = new Map<string, number>()
  let pass = 1
  let countedSince = 1
  let counted = 0
  let most = 0
  let quiet = true
  return {
    knows: (platformId) => met.has(platformId),
    add(groups, total) {
      most = Math.max(most, total)
      for (const { platformId } of groups) {
        const before = met.get(platformId) ?? 0
        if (before === pass) quiet = false
        if (before < countedSince && pass >= countedSince) counted += 1
        met.set(platformId, pass)
      }
    },
    nextPass() {
      pass += 1
      quiet = true
    },
    spoil() {
      countedSince = pass + 1
      counted = 0
      most = 0
      quiet = false
    },
    disturb() {
      quiet = false
    },
    isComplete: () => pass >= countedSince && counted >= most,
    isQuiet: () => quiet,
  }
}
