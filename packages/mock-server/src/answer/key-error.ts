import { requiredScope } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import { errorResult, type OperationResult, type RejectedBy } from '../http.ts'
import type { ApiKey } from '../store/keys.ts'

/** The guild's plan; API keys work with an active Developer or Enterprise one. Spec: Authentication, 2. */
export type Subscription = 'developer' | 'enterprise' | 'none'

// The spec has no messages for these three statuses; ours name the reason.
const statusText: Readonly<Record<number, string>> = { 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden' }
const keyRejected = (status: number, reason: string, rejectedBy: RejectedBy): OperationResult =>
  errorResult({ status, message: `${statusText[status]} - ${reason}` }, rejectedBy)

/** The error response for an API key that may not be used, if it may not: expiry, subscription, then scope. */
export const keyError = (
  key: ApiKey,
  subscription: Subscription | undefined,
  assumptions: Assumptions,
  now: number,
): OperationResult | undefined => {
  if (Date.parse(key.expiresAt) <= now) return keyRejected(assumptions.expiredKeyStatus, 'API key has expired', 'key')
  if (subscription === 'none') {
    return keyRejected(
      assumptions.lapsedSubscriptionStatus,
      'no active Developer or Enterprise subscription',
      'subscription',
    )
  }
  if (!key.scopes.includes(requiredScope)) {
    return keyRejected(assumptions.missingScopeStatus, `API key lacks the scope ${requiredScope}`, 'scope')
  }
  return undefined
}
