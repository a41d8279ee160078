import { documentedErrors } from '@guild-ledger/sdk/contract'
import type { Assumptions, EffectiveAssumptions } from '../assumptions/index.ts'
import { applyFaults, internalError, type Fault } from '../faults/index.ts'
import type { OperationRequest, OperationResult } from '../http.ts'
import { rateLimitMessage } from '../rate-limit/index.ts'
import type { MatchTarget } from '../request-matcher.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { ApiKey, Keys } from '../store/index.ts'
import { decisiveAssumptions, formatAssumptions, rateLimitAssumptions, valuesOf } from './explain.ts'
import type { GuildState } from './guild-state.ts'
import { keyError } from './key-error.ts'
import { errorResult, respond, type LedgerView } from './respond.ts'
import type { Trace } from './trace.ts'

/** Decides what a request gets. */
export interface Service {
  handle(request: OperationRequest): OperationResult
}

/** What a service works with. */
export interface ServiceParts {
  readonly keys: Keys
  /** By their id. */
  readonly guilds: ReadonlyMap<string, GuildState>
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number
  /** For keys that are bound to no guild. */
  readonly effective: Pick<EffectiveAssumptions, 'current'>
  /** Every request, whichever guild it was for, or none. */
  readonly log: RequestLog
  /** Whether responses and log entries name the assumptions they depend on. */
  readonly explain: boolean
  /** For keys that are bound to no guild. */
  readonly trace?: Trace | undefined
}

interface Decision {
  readonly result: OperationResult
  readonly retryAfterMs?: number | undefined
  readonly faults?: readonly Fault[]
  /** The result without the faults, and the same under other assumptions. */
  readonly plain?: OperationResult
  readonly resultUnder?: (assumptions: Assumptions) => OperationResult | undefined
}

const matchTargetOf = ({ endpoint, platformId, query }: OperationRequest, { id: keyId }: ApiKey): MatchTarget => ({
  endpoint,
  ...(endpoint === 'user' && { platformId }),
  keyId,
  query,
})

/** The `message` in the body of anything but a 200, whoever wrote that body. */
const loggedMessage = ({ status, body }: OperationResult): { message?: string } => {
  if (status === 200) return {}
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    return typeof message === 'string' ? { message } : {}
  } catch {
    return {}
  }
}

/** A mistake of ours is what the spec calls an internal failure. */
const respondOrFail = (ledger: LedgerView, request: OperationRequest): OperationResult => {
  try {
    return respond(ledger, request)
  } catch {
    return internalError(request.endpoint)
  }
}

/** From the rate limit on: the key may be used and leads to this guild. */
const decideForGuild = (guild: GuildState, key: ApiKey, request: OperationRequest, at: number): Decision => {
  const { transactions, limiter, assumptions, cache } = guild
  const { passes, headers, retryAfterMs } = limiter.admit({ keyId: key.id, address: request.address }, at)
  if (!passes) {
    const error = { status: assumptions.rateLimitStatus, message: rateLimitMessage(limiter.limit) }
    const result = { ...errorResult(error, 'rate limit'), headers }
    return { result, retryAfterMs }
  }
  const plain = cache.resultOf(guild, request, respondOrFail)
  const faults = guild.faults.next(() => matchTargetOf(request, key))
  const result = faults.length > 0 ? applyFaults(plain, faults, request.endpoint) : plain
  return {
    result: { ...result, headers: { ...headers, ...result.headers } },
    faults,
    plain,
    resultUnder: (other) => respondOrFail({ transactions, assumptions: other }, request),
  }
}

/** The assumptions that the result depends on, without the faults. */
const decisiveIn = ({ result, plain, resultUnder }: Decision, current: Assumptions): Partial<Assumptions> => {
  if (plain && resultUnder) return decisiveAssumptions(plain, current, resultUnder)
  return result.rejectedBy === 'rate limit' ? valuesOf(rateLimitAssumptions, current) : {}
}

/** The service. Checks come in this order: key, subscription, scope, guild, rate limit, parameters, data. */
export const createService = ({ keys, guilds, now, effective, log, explain, trace }: ServiceParts): Service => {
  const currentOf = (guild: GuildState | undefined): Assumptions => guild?.assumptions ?? effective.current

  const decide = (
    request: OperationRequest,
    key: ApiKey | undefined,
    guild: GuildState | undefined,
    at: number,
  ): Decision => {
    if (!key) return { result: errorResult(documentedErrors.invalidApiKey, 'key') }
    const errorUnder = (assumptions: Assumptions) => keyError(key, guild?.subscription, assumptions, at)
    const result = errorUnder(currentOf(guild))
    if (result) return { result, plain: result, resultUnder: errorUnder }
    return guild
      ? decideForGuild(guild, key, request, at)
      : { result: errorResult(documentedErrors.missingGuildId, 'guild') }
  }

  const explained = (decision: Decision, guild: GuildState | undefined): Partial<Assumptions> | undefined => {
    const assumptions = decisiveIn(decision, currentOf(guild))
    return Object.keys(assumptions).length > 0 ? assumptions : undefined
  }

  return {
    handle(request) {
      const at = now()
      const key = request.apiKey === null ? undefined : keys.find(request.apiKey)
      const guild = key && key.guildId !== null ? guilds.get(key.guildId) : undefined
      guild?.scheduled.applyDue(at)
      const decision = decide(request, key, guild, at)
      const { result, retryAfterMs, faults = [], plain, resultUnder } = decision
      const tracing = guild ? guild.trace : trace
      if (plain && resultUnder) tracing?.result(plain, currentOf(guild), resultUnder)
      const kinds = faults.length > 0 ? faults.map(({ kind }) => kind) : undefined
      const assumptions = explain ? explained(decision, guild) : undefined
      const { method, endpoint, platformId, query } = request
      const entry = {
        method,
        endpoint,
        ...(endpoint === 'user' && { platformId }),
        query,
        keyId: key?.id ?? null,
        at,
        status: result.status,
        ...loggedMessage(result),
        ...(result.rejectedBy && { rejectedBy: result.rejectedBy }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...(kinds && { faults: kinds }),
        ...(assumptions && { assumptions }),
      }
      log.add(entry)
      guild?.log.add(entry)
      guild?.scheduled.countResponse()
      return {
        ...result,
        ...(assumptions && {
          headers: { ...result.headers, 'x-mock-assumptions': formatAssumptions(assumptions) },
        }),
        ...(key && { keyName: key.name }),
        ...(kinds && { faults: kinds }),
      }
    },
  }
}
