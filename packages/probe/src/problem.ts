/** Why a probe cannot go on: the service cannot be reached, is another one, or rejects the key. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

export class RequestLimitReached extends Error {
  override readonly name = 'RequestLimitReached'
}
