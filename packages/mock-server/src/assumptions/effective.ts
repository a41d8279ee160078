import { assume, checkedAssumptions, type Assumptions } from './values.ts'

export type EffectiveAssumptions = ReturnType<typeof createEffectiveAssumptions>

/** Assumption values that start as `given` over those of `base`, and follow `base` wherever they have none of their own. */
export const createEffectiveAssumptions = (
  given: Partial<Assumptions> = {},
  base?: { readonly current: Assumptions },
) => {
  let own = checkedAssumptions(given)
  let baseValues: Assumptions | undefined
  let current: Assumptions | undefined
  const restore = (state: Partial<Assumptions>): void => {
    own = state
    current = undefined
  }
  return {
    /** All values as they are now: its own, else those of its base, else the defaults. */
    get current(): Assumptions {
      const ofBase = base?.current
      if (current === undefined || ofBase !== baseValues) {
        baseValues = ofBase
        current = assume(own, ofBase)
      }
      return current
    },
    change: (changes: Partial<Assumptions>): void => restore({ ...own, ...checkedAssumptions(changes) }),
    /** Its own values, for `restore`. */
    state: (): Partial<Assumptions> => own,
    restore,
  }
}
