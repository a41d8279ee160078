import { refusals } from '@guild-ledger/sdk/contract'
import { queryOf, type Target } from './aim.ts'
import { answerFrom, failure, keyRefusal, recallFrom, rejected, type Question } from './answer.ts'
import type { AssumptionKey, Assumptions, Readings } from './assumptions/index.ts'
import { inPairs, rateLimitRows, shapedBy } from './explain.ts'
import { spoiled, type Answer, type Fault } from './faults/index.ts'
import { refusalMessage } from './rate-limit/index.ts'
import type { RequestLog } from './request-log/index.ts'
import type { ApiKey, Guilds, GuildState, Keys } from './store/index.ts'

/** Decides what a request gets. */
export interface Service {
  ask(question: Question): Answer
}

/** What a service works with. */
export interface ServiceParts {
  readonly keys: Keys
  readonly guilds: Guilds
  /** Its clock. */
  readonly now: () => number
  /** For keys that lead to no guild. */
  readonly readings: Pick<Readings, 'inForce'>
  /** Every request, whichever guild it was for, or none. */
  readonly log: RequestLog
  /** Whether replies and log entries say which assumptions shaped them. */
  readonly explain: boolean
}

interface Decision {
  readonly answer: Answer
  readonly retryAfterMs?: number | undefined
  readonly faults?: readonly Fault[]
  /** The answer before anything was made to go wrong, and the same question under other assumptions. */
  readonly under?: (assumptions: Assumptions) => Answer | undefined
  readonly plain?: Answer
  readonly shapedBy?: readonly AssumptionKey[]
}

/** A request as failures are aimed at it. */
const targetOf = ({ endpoint, platformId, search }: Question, { id: keyId }: ApiKey): Target => ({
  endpoint,
  ...(endpoint === 'user' && { platformId }),
  keyId,
  query: queryOf(new URLSearchParams(search)),
})

const messageIn = (body: unknown): { message?: string } =>
  typeof body === 'object' && body !== null && 'message' in body ? { message: String(body.message) } : {}

/** What a guild says to a request that its key is good for. */
const answerOf = (guild: Pick<GuildState, 'rows' | 'assumptions'>, question: Question, from = answerFrom): Answer => {
  try {
    return from(guild, question)
  } catch {
    // A bug of ours is what the document calls an internal failure.
    return failure(question.endpoint)
  }
}

/** From the rate limit on: the key is good and leads to this guild. */
const decideFor = (guild: GuildState, key: ApiKey, question: Question, at: number): Decision => {
  const { rows, limiter, assumptions } = guild
  const { passes, headers, retryAfterMs } = limiter.admit({ keyId: key.id, address: question.address }, at)
  if (!passes) {
    const words = { status: assumptions.rateLimitStatus, message: refusalMessage(limiter.limit) }
    const refusal = rejected(words, 'rate limit')
    return { answer: { ...refusal, headers }, retryAfterMs, shapedBy: rateLimitRows }
  }
  const plain = answerOf(guild, question, recallFrom)
  const faults = guild.faults.next(() => targetOf(question, key))
  const answer = faults.length > 0 ? spoiled(plain, faults, question.endpoint) : plain
  return {
    answer: { ...answer, headers: { ...headers, ...answer.headers } },
    faults,
    plain,
    under: (other) => answerOf({ rows, assumptions: other }, question),
  }
}

/** The service. Checks come in this order: key, subscription, scope, guild, rate limit, parameters, data. */
export const createService = ({ keys, guilds, now, readings, log, explain }: ServiceParts): Service => {
  const decide = (question: Question, key: ApiKey | undefined, guild: GuildState | undefined, at: number): Decision => {
    if (!key) return { answer: rejected(refusals.invalidApiKey, 'key') }
    const refusalUnder = (other: Assumptions) => keyRefusal(key, guild?.subscription, other, at)
    const answer = refusalUnder(guild?.assumptions ?? readings.inForce)
    if (answer) return { answer, plain: answer, under: refusalUnder }
    return guild ? decideFor(guild, key, question, at) : { answer: rejected(refusals.missingGuildId, 'guild') }
  }

  const explained = ({ plain, under, shapedBy: known = [] }: Decision, inForce: Assumptions) =>
    inPairs(plain && under ? shapedBy(plain, inForce, under) : known, inForce)

  return {
    ask(question) {
      const at = now()
      const key = question.apiKey === null ? undefined : keys.find(question.apiKey)
      const guild = key && key.guildId !== null ? guilds.get(key.guildId) : undefined
      guild?.arrivals.arrive(at)
      const decision = decide(question, key, guild, at)
      const { answer, retryAfterMs, faults = [] } = decision
      const kinds = faults.length > 0 ? faults.map(({ kind }) => kind) : undefined
      const assumed = explain ? explained(decision, guild?.assumptions ?? readings.inForce) : ''
      const { method, endpoint, platformId, search } = question
      const entry = {
        method,
        endpoint,
        ...(endpoint === 'user' && { platformId }),
        search,
        keyId: key?.id ?? null,
        at,
        status: answer.status,
        ...messageIn(answer.body),
        ...(answer.refusedBy && { refusedBy: answer.refusedBy }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...(kinds && { faults: kinds }),
        ...(assumed !== '' && { assumed }),
      }
      log.add(entry)
      guild?.log.add(entry)
      guild?.arrivals.answered()
      return {
        ...answer,
        ...(assumed !== '' && { headers: { ...answer.headers, 'x-mock-assumptions': assumed } }),
        ...(key && { keyName: key.name }),
        ...(kinds && { faults: kinds }),
      }
    },
  }
}
