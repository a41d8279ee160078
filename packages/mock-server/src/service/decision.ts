import type { Assumptions } from '../assumptions/values.ts'
import type { OperationRequest, OperationResult } from '../http.ts'
import type { ApiKey } from '../store/keys.ts'
import type { GuildState } from './guild-state.ts'
import { respond } from '../answer/respond.ts'

export interface Decision {
  readonly result: OperationResult
  readonly retryAfterMs?: number | undefined
  /** The result without the faults, under these or other assumptions. */
  readonly resultUnder?: (assumptions: Assumptions) => OperationResult | undefined
  /** What the rate limit decided, where it applied. */
  readonly rateLimit?: 'passed' | 'rejected'
}

/** Decides what a guild responds once the key and the rate limit allow it. */
export type ResultFor = (guild: GuildState, key: ApiKey, at: number) => Decision

/** The page or the error of an operation, as the faults of the guild leave it. */
export const operationResult =
  (request: OperationRequest): ResultFor =>
  (guild, key, at) => {
    const { transactions, faults } = guild
    const { endpoint, platformId, query } = request
    const targetOf = () => ({ endpoint, platformId, query, keyId: key.id })
    return {
      result: faults.apply(respond(guild, request), endpoint, targetOf, at),
      resultUnder: (other) => respond({ transactions, assumptions: other }, request),
    }
  }
