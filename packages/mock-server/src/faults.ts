import { inWords, type Endpoint } from '@guild-ledger/sdk/contract'

/** What goes wrong. `internal-error` is the documented 500 of the endpoint. Spec: Errors. */
export type FaultKind = 'internal-error'

/** A scripted failure. */
export interface Fault {
  readonly kind: FaultKind
  /** Only requests to this operation; both unless given. */
  readonly endpoint?: Endpoint
  /** How many requests it meets; all that follow unless given. */
  readonly times?: number
}

/** The failures scripted for one guild. */
export interface Faults {
  /**
   * @throws {TypeError} The kind or the endpoint is unknown, or `times` is not a count.
   */
  script(fault: Fault): void
  /** The failure that meets a request now, which uses up one of its times. The oldest goes first. */
  next(endpoint: Endpoint): Fault | undefined
  /** What is scripted and how often it is still to come, to come back to. */
  state(): FaultsState
  restore(state: FaultsState): void
}

/** The failures that are still to come. */
export type FaultsState = readonly { readonly fault: Fault; readonly left: number }[]

const kinds: readonly string[] = ['internal-error'] satisfies FaultKind[]

const check = ({ kind, endpoint, times }: Fault): void => {
  if (!kinds.includes(kind)) throw new TypeError(`kind must be one of ${kinds.join(', ')}, not ${inWords(kind)}.`)
  if (endpoint !== undefined && endpoint !== 'guild' && endpoint !== 'user') {
    throw new TypeError(`endpoint must be guild or user, not ${inWords(endpoint)}.`)
  }
  if (times !== undefined && !(Number.isSafeInteger(times) && times > 0)) {
    throw new TypeError(`times must be a whole number of at least 1, not ${inWords(times)}.`)
  }
}

/** No failure at all until one is scripted. */
export const createFaults = (): Faults => {
  let scripted: { fault: Fault; left: number }[] = []
  return {
    script(fault) {
      check(fault)
      scripted.push({ fault, left: fault.times ?? Infinity })
    },
    next(endpoint) {
      const due = scripted.find(({ fault, left }) => left > 0 && (fault.endpoint ?? endpoint) === endpoint)
      if (due) due.left--
      return due?.fault
    },
    state: () => scripted.map((script) => ({ ...script })),
    restore(state) {
      scripted = state.map((script) => ({ ...script }))
    },
  }
}
