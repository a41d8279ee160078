/** Why a probe cannot go on: the service cannot be reached, is another one, or rejects the key. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

/** Where nothing catches it, there was no response at all. */
export class RequestLimitReached extends ProbeError {
  override readonly message = 'There was no response before the limit of requests was reached: raise maxRequests.'
}
