import { documentedErrors } from '@guild-ledger/sdk/contract'
import { keyError } from '../answer/key-error.ts'
import { formatAssumptions, type Alternative } from '../assumptions/alternatives.ts'
import type { Assumptions } from '../assumptions/values.ts'
import type { EffectiveAssumptions } from '../assumptions/effective.ts'
import type { TraceEvent } from '../assumptions/process-wide.ts'
import {
  errorResult,
  type OperationRequest,
  type OperationResult,
  type PathRequest,
  type RoutedRequest,
} from '../http.ts'
import { internalErrorResponse, MockInternalError } from '../internal-error.ts'
import { rateLimitMessage } from '../rate-limit/rate-limit.ts'
import type { LoggedRequest, RequestLog } from '../request-log/request-log.ts'
import type { ApiKey, Keys } from '../store/keys.ts'
import { factsOf } from '../coverage/coverage.ts'
import type { Recorder } from '../coverage/recorder.ts'
import { dependenciesOf, explained } from './explain.ts'
import type { GuildState } from './guild-state.ts'
import { entryOf, type EntryDetails } from './log-entry.ts'
import { operationResult, type Decision, type ResultFor } from './decision.ts'
import type { Stubs } from './stubs.ts'
import type { Trace } from './trace.ts'

export interface Handled {
  readonly result: OperationResult
  /** Logs that it did not reach its client. */
  unreceived(): void
  /** Calls a listener when the guild is reset or removed; returns a function that removes the listener. */
  readonly onEnd?: ((listener: () => void) => () => void) | undefined
}

export interface SeenResponse {
  readonly request: LoggedRequest
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ServiceParts {
  readonly keys: Keys
  readonly guildAt: (id: string | null | undefined) => GuildState | undefined
  readonly stubs: Stubs
  readonly now: () => number
  /** For keys that are bound to no guild. */
  readonly effective: Pick<EffectiveAssumptions, 'current'>
  /** Every request, whichever guild it was for, or none. */
  readonly log: RequestLog
  /** Gets the latest requests with their responses, for those who look into the mock. */
  readonly seen: SeenResponse[]
  readonly explain: boolean
  /** For keys that are bound to no guild. */
  readonly trace: Trace
  readonly recorder: Recorder
}

interface Sender {
  readonly at: number
  readonly key: ApiKey | undefined
  readonly guild: GuildState | undefined
}

/** From the rate limit on: the key may be used and leads to this guild. */
const decideForGuild = (
  guild: GuildState,
  key: ApiKey,
  { address, unthrottled }: PathRequest,
  at: number,
  resultFor: ResultFor,
): Decision => {
  const { limiter, assumptions, isLimitSet } = guild
  if (unthrottled && !isLimitSet) return resultFor(guild, key, at)
  const { passes, headers, retryAfterMs } = limiter.admit({ keyId: key.id, address }, at)
  if (!passes) {
    const error = { status: assumptions.rateLimitStatus, message: rateLimitMessage(limiter.limit) }
    return { result: { ...errorResult(error, 'rate limit'), headers }, retryAfterMs, rateLimit: 'rejected' }
  }
  const decision = resultFor(guild, key, at)
  const { result } = decision
  const rateLimit = limiter.limit === 'off' ? {} : { rateLimit: 'passed' as const }
  return { ...decision, ...rateLimit, result: { ...result, headers: { ...headers, ...result.headers } } }
}

export type Service = ReturnType<typeof createService>

/** The service. Checks come in this order: key, subscription, scope, guild, rate limit, parameters, data. */
export const createService = (parts: ServiceParts) => {
  const { keys, guildAt, stubs, now, effective, log, seen, explain, trace, recorder } = parts
  const currentOf = (guild: GuildState | undefined): Assumptions => guild?.assumptions ?? effective.current

  const traced = (
    { address, intercepted }: PathRequest,
    guild: GuildState | undefined,
    alternatives: () => readonly Alternative[],
  ) => {
    const via: TraceEvent['via'] = address === undefined ? (intercepted ? 'interception' : undefined) : 'network'
    const tell = guild?.trace ?? trace
    tell({ of: 'response', ...(via && { via }) }, currentOf(guild), alternatives)
  }

  const senderOf = ({ apiKey }: PathRequest): Sender => {
    const key = apiKey === null ? undefined : keys.find(apiKey)
    return { at: now(), key, guild: guildAt(key?.guildId) }
  }

  const decide = (request: PathRequest, { key, guild, at }: Sender, resultFor: ResultFor): Decision => {
    if (!key) return { result: errorResult(documentedErrors.invalidApiKey, 'key') }
    const errorUnder = (assumptions: Assumptions) => keyError(key, guild?.subscription, assumptions, at)
    const result = errorUnder(currentOf(guild))
    if (result) return { result, resultUnder: errorUnder }
    return guild
      ? decideForGuild(guild, key, request, at, resultFor)
      : { result: errorResult(documentedErrors.missingGuildId, 'guild') }
  }

  /** Returns a function that logs that the client did not get the result. */
  const logged = (
    request: RoutedRequest,
    { key, guild, at }: Sender,
    result: OperationResult,
    details?: Partial<EntryDetails>,
  ): (() => void) => {
    const entry = entryOf(request, result, { keyId: key?.id ?? null, at, ...details })
    seen.push({ request: entry, headers: result.headers ?? {}, body: result.body })
    if (seen.length > 20) seen.shift()
    const version = guild?.transactions.state()
    const logs = guild ? [log, guild.log] : [log]
    for (const each of logs) each.add(entry, version)
    recorder.note(() => factsOf(entry))
    return () => {
      for (const each of logs) each.replace(entry, { ...entry, status: null })
    }
  }

  const handleAs = (request: RoutedRequest, resultFor: ResultFor): Handled => {
    const sender = senderOf(request)
    const { at, key, guild } = sender
    try {
      guild?.scheduled.applyDue(at)
      const decision = decide(request, sender, resultFor)
      const { result, retryAfterMs } = decision
      const current = currentOf(guild)
      traced(request, guild, () => dependenciesOf(decision, current))
      recorder.note((isNew) =>
        Object.keys(explained(decision, current, isNew) ?? {}).map((name) => ['assumption', name]),
      )
      const assumptions = explain ? explained(decision, current) : undefined
      const unreceived = logged(request, sender, result, { retryAfterMs, assumptions })
      guild?.scheduled.countResponse()
      const explanation = assumptions && { 'x-mock-assumptions': formatAssumptions(assumptions, ', ') }
      const headers = explanation ? { headers: { ...result.headers, ...explanation } } : {}
      const onEnd = guild?.faults.delay()
      return { result: { ...result, ...headers, ...(key && { keyName: key.name }) }, unreceived, onEnd }
    } catch (error) {
      logged(request, sender, internalErrorResponse(error))
      throw new MockInternalError(error)
    }
  }

  return {
    /** Handles a request to one of the operations. */
    handle: (request: OperationRequest): Handled => handleAs(request, operationResult(request)),
    stubAt: (path: string): OperationResult | undefined => stubs.resultAt(path),
    /** Handles a request to a path with a stub: after the checks of the key and the rate limit. No fault changes it. */
    handleStub: (request: PathRequest, result: OperationResult): Handled => handleAs(request, () => ({ result })),
    /** Logs a request that HTTP rejects. */
    reject(request: RoutedRequest, rejection: OperationResult): Handled {
      const sender = senderOf(request)
      const { key, guild } = sender
      traced(request, guild, () => [])
      const result = { ...rejection, ...(key && { keyName: key.name }) }
      return { result, unreceived: logged(request, sender, result) }
    },
  }
}
