import {
  refusals,
  requiredScope,
  type Endpoint,
  type ErrorBody,
  type GuildReply,
  type UserReply,
} from '@guild-ledger/sdk/contract'
import type { Assumptions } from './assumptions/index.ts'
import { readParameters } from './parameters.ts'
import { guildPage, userPage } from './query.ts'
import type { ApiKey, Guilds, GuildState, Keys } from './store/index.ts'

/** A request to one of the two operations, HTTP taken off. */
export interface Question {
  readonly endpoint: Endpoint
  /** The user asked for, on the one-user endpoint. */
  readonly platformId: string
  readonly apiKey: string | null
  readonly parameters: URLSearchParams
}

/** What the service says to it. */
interface Answer {
  readonly status: number
  readonly body: GuildReply | UserReply | ErrorBody
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

/**
 * The service over its guilds and keys. `now` is its clock; `assumptions` are for keys that lead to no guild.
 *
 * Checks come in this order: key, subscription, scope, guild, rate limit, parameters, data.
 */
export const createService = (keys: Keys, guilds: Guilds, now: () => number, assumptions: Assumptions): Service => ({
  ask(question) {
    const key = question.apiKey === null ? undefined : keys.find(question.apiKey)
    if (!key) return rejected(refusals.invalidApiKey)
    const guild = key.guildId === null ? undefined : guilds.get(key.guildId)
    const refusal = keyRefusal(key, guild, assumptions, now())
    if (refusal) return rejected(refusal)
    if (!guild) return rejected(refusals.missingGuildId)
    // The rate limit has its place here.
    if (guild.faults.next(question.endpoint)) return rejected(failure(question.endpoint))
    try {
      return answerFrom(guild, question)
    } catch {
      // A bug of ours is what the document calls an internal failure.
      return rejected(failure(question.endpoint))
    }
  },
})
