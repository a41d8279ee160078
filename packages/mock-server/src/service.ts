import { refusals, requiredScope, type Endpoint, type GuildReply, type UserReply } from '@guild-ledger/sdk/contract'
import type { Assumptions } from './assumptions/index.ts'
import { spoiled, type Answer } from './faults/index.ts'
import { readParameters } from './parameters.ts'
import { guildPage, userPage } from './query.ts'
import { refusalMessage } from './rate-limit/index.ts'
import type { RequestLog } from './request-log/index.ts'
import type { ApiKey, Guilds, GuildState, Keys } from './store/index.ts'

/** A request to one of the two operations, HTTP taken off. */
export interface Question {
  readonly endpoint: Endpoint
  /** The user asked for, on the one-user endpoint. */
  readonly platformId: string
  readonly apiKey: string | null
  /** Network address of the client, where there is a network. */
  readonly address?: string | undefined
  readonly parameters: URLSearchParams
}

/** Decides what a request gets. */
export interface Service {
  ask(question: Question): Answer
}

interface Rejection {
  readonly status: number
  readonly message: string
}

const rejected = ({ status, message }: Rejection): Answer => ({ status, body: { success: false, message } })

// The document has no words for these three; ours name the reason.
const statusWords: Readonly<Record<number, string>> = { 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden' }
const keyRefused = (status: number, reason: string): Rejection => ({
  status,
  message: `${statusWords[status]} - ${reason}`,
})

const failure = (endpoint: Endpoint): Rejection =>
  endpoint === 'guild' ? refusals.guildTransactionsFailed : refusals.userTransactionsFailed

const nothingFound = (endpoint: Endpoint): Rejection =>
  endpoint === 'guild' ? refusals.noGuildTransactions : refusals.noUserTransactions

/** What speaks against this key, if anything: expiry, subscription, scope, then the guild. */
const keyRefusal = (key: ApiKey, guild: GuildState | undefined, base: Assumptions, now: number) => {
  const assumptions = guild?.assumptions ?? base
  if (Date.parse(key.expiresAt) <= now) return keyRefused(assumptions.expiredKeyStatus, 'API key has expired')
  if (guild?.subscription === 'none') {
    return keyRefused(assumptions.lapsedSubscriptionStatus, 'no active Developer or Enterprise subscription')
  }
  if (!key.scopes.includes(requiredScope)) {
    return keyRefused(assumptions.missingScopeStatus, `API key lacks the scope ${requiredScope}`)
  }
  return undefined
}

const isMissing = (guild: GuildState, question: Question, reply: GuildReply | UserReply): boolean => {
  const { rows, assumptions } = guild
  const onPage = Array.isArray(reply.data) ? reply.data.length : reply.data.transactions.length
  const tests: Record<Assumptions['notFoundWhen'], () => boolean> = {
    'no-match': () => reply.pagination.total === 0,
    'empty-page': () => onPage === 0,
    'empty-ledger': () => (question.endpoint === 'guild' ? rows.size === 0 : !rows.users().has(question.platformId)),
  }
  return tests[assumptions.notFoundWhen]()
}

const answerFrom = (guild: GuildState, question: Question): Answer => {
  const { endpoint, platformId, parameters } = question
  const { wanted, flaws } = readParameters(endpoint, parameters, guild.assumptions)
  if (flaws.length > 0) return rejected({ status: 400, message: `Invalid query: ${flaws.join('; ')}` })
  const reply =
    endpoint === 'guild'
      ? guildPage(guild.rows, wanted, guild.assumptions)
      : userPage(guild.rows, platformId, wanted, guild.assumptions)
  return isMissing(guild, question, reply) ? rejected(nothingFound(endpoint)) : { status: 200, body: reply }
}

/** What a guild says to a request that its key is good for. */
const answerOf = (guild: GuildState, question: Question): Answer => {
  try {
    return answerFrom(guild, question)
  } catch {
    // A bug of ours is what the document calls an internal failure.
    return rejected(failure(question.endpoint))
  }
}

/** The user a request is about. */
const userOf = ({ endpoint, platformId, parameters }: Question): string | undefined =>
  endpoint === 'user' ? platformId : (parameters.get('platformId') ?? undefined)

const messageIn = (body: unknown): { message?: string } =>
  typeof body === 'object' && body !== null && 'message' in body ? { message: String(body.message) } : {}

const entryOf = ({ endpoint, platformId, parameters }: Question, key: ApiKey | undefined, at: number) => ({
  endpoint,
  ...(endpoint === 'user' && { platformId }),
  parameters,
  keyId: key?.id ?? null,
  at,
})

/** What a service works with. */
export interface ServiceParts {
  readonly keys: Keys
  readonly guilds: Guilds
  /** Its clock. */
  readonly now: () => number
  /** For keys that lead to no guild. */
  readonly assumptions: Assumptions
  /** Every request, whichever guild it was for, or none. */
  readonly log: RequestLog
}

/** The service. Checks come in this order: key, subscription, scope, guild, rate limit, parameters, data. */
export const createService = ({ keys, guilds, now, assumptions, log }: ServiceParts): Service => {
  const decide = (question: Question, key: ApiKey | undefined, guild: GuildState | undefined, at: number) => {
    if (!key) return { answer: rejected(refusals.invalidApiKey) }
    const refusal = keyRefusal(key, guild, assumptions, at)
    if (refusal) return { answer: rejected(refusal) }
    if (!guild) return { answer: rejected(refusals.missingGuildId) }
    const { passes, headers, retryAfterMs } = guild.limiter.admit({ keyId: key.id, address: question.address }, at)
    if (!passes) {
      const { rateLimitStatus: status } = guild.assumptions
      return {
        answer: { ...rejected({ status, message: refusalMessage(guild.limiter.limit) }), headers },
        retryAfterMs,
      }
    }
    const faults = guild.faults.next(question.endpoint, userOf(question))
    const answer = spoiled(answerOf(guild, question), faults, question.endpoint)
    return { answer: { ...answer, headers: { ...headers, ...answer.headers } }, faults }
  }

  return {
    ask(question) {
      const at = now()
      const key = question.apiKey === null ? undefined : keys.find(question.apiKey)
      const guild = key && key.guildId !== null ? guilds.get(key.guildId) : undefined
      guild?.arrivals.arrive(at)
      const { answer, retryAfterMs, faults = [] } = decide(question, key, guild, at)
      const { status, body } = answer
      const entry = {
        ...entryOf(question, key, at),
        status,
        ...messageIn(body),
        ...(faults.length > 0 && { faults: faults.map(({ kind }) => kind) }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      }
      log.add(entry)
      guild?.log.add(entry)
      guild?.arrivals.answered()
      return answer
    },
  }
}
