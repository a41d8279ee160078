import { documentedErrors } from '@guild-ledger/sdk/contract'
import type { AssumptionKey } from '../assumptions/index.ts'
import { fieldIn, type RawResponse } from './model/observe.ts'
import type { ProbeKeys } from './types.ts'
import type { Verdict } from './verdicts.ts'

const statuses = {
  expired: ['expiredKeyStatus', [401, 403]],
  unscoped: ['missingScopeStatus', [401, 403]],
  lapsed: ['lapsedSubscriptionStatus', [401, 402, 403]],
} as const satisfies Partial<Record<keyof ProbeKeys, readonly [AssumptionKey, readonly number[]]>>

/** A response to a further key, or why there is none. */
export type KeyOutcome = RawResponse | { readonly failure: string }

/** What a service does with a key that should be rejected; without one, nothing is known. */
const verdictOfKey = (name: keyof typeof statuses, outcome: KeyOutcome | undefined): Verdict => {
  const [key, candidates] = statuses[name]
  const option = `option \`keys.${name}\``
  if (!outcome) return { key, verdict: 'skipped', candidates, needs: `a key for it: ${option}` }
  if ('failure' in outcome) return { key, verdict: 'skipped', candidates, needs: outcome.failure }
  const { status, body } = outcome
  const { invalidApiKey } = documentedErrors
  if (status === invalidApiKey.status && fieldIn(body, 'message') === invalidApiKey.message) {
    return {
      key,
      verdict: 'consistent',
      candidates,
      needs: `a check of ${option}: the response is the same as to an unknown key, so the key may be mistyped`,
    }
  }
  const value = candidates.find((one) => one === status)
  return value === undefined
    ? { key, verdict: 'outside', candidates: [], observed: `status ${status}` }
    : { key, verdict: 'decided', value, candidates: [value] }
}

/** Sends one request with each further key. */
export const accessVerdicts = async (
  keys: ProbeKeys,
  sendWith: (apiKey: string) => Promise<KeyOutcome>,
): Promise<Verdict[]> => {
  const verdicts: Verdict[] = []
  for (const name of Object.keys(statuses) as (keyof typeof statuses)[]) {
    const apiKey = keys[name]
    verdicts.push(verdictOfKey(name, apiKey === undefined ? undefined : await sendWith(apiKey)))
  }
  return verdicts
}
