/** Why a service cannot be probed: it cannot be reached, rejects the key, or is not the service. */
export type ProblemKind = 'unreachable' | 'key' | 'not-the-service'

/** The service cannot be probed; the message says why and what to do. */
export class ProbeError extends Error {
  /** `'ProbeError'`. */
  override readonly name = 'ProbeError'
  /** What is wrong. */
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Thrown where the limit of requests is reached. The probe reports what it knows by then. */
export class RequestLimitReached extends Error {}

/** Thrown where the ledger grows so fast that too many requests only read what entered it. */
export class GrowthLimitReached extends RequestLimitReached {}
