import { assume, checkedReadings, type Assumptions } from './assumptions.ts'

/** Readings of a mock or of a guild, which can change while they are in force. */
export interface Readings {
  /** All of them as they are now: its own, else those of what it stands on, else the first ones. */
  readonly inForce: Assumptions
  /**
   * Takes other readings from now on. Those not named stay.
   *
   * @throws {TypeError} A key is unknown or a value is not allowed; then none is changed.
   */
  change(changes: Partial<Assumptions>): void
  /** Its own readings, to come back to. */
  state(): Partial<Assumptions>
  restore(own: Partial<Assumptions>): void
}

/**
 * Readings that start with `given` over those of `base`, and follow `base` wherever they have none of their own.
 *
 * @throws {TypeError} A key is unknown or a value is not allowed.
 */
export const createReadings = (given: Partial<Assumptions> = {}, base?: Readings): Readings => {
  let own = checkedReadings(given)
  let beneath: Assumptions | undefined
  let inForce: Assumptions | undefined
  const restore = (state: Partial<Assumptions>): void => {
    own = state
    inForce = undefined
  }
  return {
    get inForce() {
      const below = base?.inForce
      if (inForce === undefined || below !== beneath) {
        beneath = below
        inForce = assume(own, below)
      }
      return inForce
    },
    change: (changes) => restore({ ...own, ...checkedReadings(changes) }),
    state: () => own,
    restore,
  }
}
