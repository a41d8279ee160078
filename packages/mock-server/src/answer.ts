import { refusals, requiredScope, type Endpoint, type GuildReply, type UserReply } from '@guild-ledger/sdk/contract'
import type { Assumptions } from './assumptions/index.ts'
import type { Answer, RefusedBy } from './faults/index.ts'
import { readParameters } from './parameters.ts'
import { guildPage, userPage } from './query.ts'
import type { ApiKey, GuildState, Rows, Subscription } from './store/index.ts'

/** A request to one of the two operations, HTTP taken off. */
export interface Question {
  /** How it was asked; a `HEAD` gets the same answer. */
  readonly method: 'GET' | 'HEAD'
  readonly endpoint: Endpoint
  /** The user asked for, on the one-user endpoint. */
  readonly platformId: string
  readonly apiKey: string | null
  /** Network address of the client, where there is a network. */
  readonly address?: string | undefined
  readonly parameters: URLSearchParams
}

interface Rejection {
  readonly status: number
  readonly message: string
}

export const rejected = ({ status, message }: Rejection, refusedBy: RefusedBy): Answer => ({
  status,
  body: { success: false, message },
  refusedBy,
})

// The document has no words for these three; ours name the reason.
const statusWords: Readonly<Record<number, string>> = { 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden' }
const keyRefused = (status: number, reason: string, refusedBy: RefusedBy): Answer =>
  rejected({ status, message: `${statusWords[status]} - ${reason}` }, refusedBy)

/** What speaks against this key, if anything: expiry, subscription, then scope. */
export const keyRefusal = (
  key: ApiKey,
  subscription: Subscription | undefined,
  assumptions: Assumptions,
  now: number,
): Answer | undefined => {
  if (Date.parse(key.expiresAt) <= now) return keyRefused(assumptions.expiredKeyStatus, 'API key has expired', 'key')
  if (subscription === 'none') {
    return keyRefused(
      assumptions.lapsedSubscriptionStatus,
      'no active Developer or Enterprise subscription',
      'subscription',
    )
  }
  if (!key.scopes.includes(requiredScope)) {
    return keyRefused(assumptions.missingScopeStatus, `API key lacks the scope ${requiredScope}`, 'scope')
  }
  return undefined
}

/** The documented internal failure of an operation. Spec: Errors. */
export const failure = (endpoint: Endpoint): Answer => {
  const { status, message } = endpoint === 'guild' ? refusals.guildTransactionsFailed : refusals.userTransactionsFailed
  return { status, body: { success: false, message } }
}

const nothingFound = (endpoint: Endpoint): Answer =>
  rejected(endpoint === 'guild' ? refusals.noGuildTransactions : refusals.noUserTransactions, 'data')

type Ledger = Pick<GuildState, 'rows' | 'assumptions'>

const hasNothing = (rows: Rows, { endpoint, platformId }: Question): boolean =>
  endpoint === 'guild' ? rows.size === 0 : !rows.users().has(platformId)

const isMissing = ({ rows, assumptions }: Ledger, question: Question, reply: GuildReply | UserReply): boolean => {
  const onPage = Array.isArray(reply.data) ? reply.data.length : reply.data.transactions.length
  const tests: Record<Assumptions['notFoundWhen'], () => boolean> = {
    'no-match': () => reply.pagination.total === 0,
    'empty-page': () => onPage === 0,
    'empty-ledger': () => hasNothing(rows, question),
  }
  return tests[assumptions.notFoundWhen]()
}

/** What a ledger answers to parameters: a page, or what is wrong with them, or that nothing was found. */
export const answerFrom = (ledger: Ledger, question: Question): Answer => {
  const { rows, assumptions } = ledger
  const { endpoint, platformId, parameters } = question
  const { wanted, flaws } = readParameters(endpoint, parameters, assumptions)
  if (flaws.length > 0) return rejected({ status: 400, message: `Invalid query: ${flaws.join('; ')}` }, 'parameters')
  const reply =
    endpoint === 'guild' ? guildPage(rows, wanted, assumptions) : userPage(rows, platformId, wanted, assumptions)
  return isMissing(ledger, question, reply) ? nothingFound(endpoint) : { status: 200, body: reply }
}
