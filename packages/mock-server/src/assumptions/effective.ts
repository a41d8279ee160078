import { assume, checkedAssumptions, type Assumptions } from './values.ts'

/** The assumption values of a mock or of a guild, which can change at any time. */
export interface EffectiveAssumptions {
  /** All values as they are now: its own, else those of its base, else the defaults. */
  readonly current: Assumptions
  /**
   * Changes some values; the others stay.
   *
   * @throws {TypeError} A key is unknown or a value is not allowed; then nothing changes.
   */
  change(changes: Partial<Assumptions>): void
  /** Its own values, for `restore`. */
  state(): Partial<Assumptions>
  restore(own: Partial<Assumptions>): void
}

/**
 * Assumption values that start as `given` over those of `base`, and follow `base` wherever they have none of their own.
 *
 * @throws {TypeError} A key is unknown or a value is not allowed.
 */
export const createEffectiveAssumptions = (
  given: Partial<Assumptions> = {},
  base?: Pick<EffectiveAssumptions, 'current'>,
): EffectiveAssumptions => {
  let own = checkedAssumptions(given)
  let baseValues: Assumptions | undefined
  let current: Assumptions | undefined
  const restore = (state: Partial<Assumptions>): void => {
    own = state
    current = undefined
  }
  return {
    get current() {
      const ofBase = base?.current
      if (current === undefined || ofBase !== baseValues) {
        baseValues = ofBase
        current = assume(own, ofBase)
      }
      return current
    },
    change: (changes) => restore({ ...own, ...checkedAssumptions(changes) }),
    state: () => own,
    restore,
  }
}
