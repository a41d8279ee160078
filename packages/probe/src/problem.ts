/** Why a probe cannot go on: the service cannot be reached, is another one, or rejects the key. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

/** A probe ends with it only if no request succeeded. */
export class RequestLimitReached extends ProbeError {
  override readonly message = 'Every request failed. Check the base URL, or raise maxRequests.'
}
