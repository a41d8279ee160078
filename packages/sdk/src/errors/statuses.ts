/** What the status of an error response says about its request. */
interface StatusFacts {
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean
  /** Whether the service may still receive the request: a gateway gave it up. */
  readonly mayArrive: boolean
}

const final: StatusFacts = { isTransient: false, mayArrive: false }
const transient: StatusFacts = { isTransient: true, mayArrive: false }
const givenUp: StatusFacts = { isTransient: true, mayArrive: true }

/** Statuses that differ from their class. 520 to 524 are those of CDNs. */
const byStatus: Readonly<Record<number, StatusFacts>> = {
  408: transient,
  425: transient,
  429: transient,
  501: final,
  502: givenUp,
  504: givenUp,
  505: final,
  520: givenUp,
  522: givenUp,
  524: givenUp,
}

export const statusFacts = (status: number): StatusFacts =>
  byStatus[status] ?? (status >= 500 && status < 600 ? transient : final)
