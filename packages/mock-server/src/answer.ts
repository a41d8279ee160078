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
  /** Query string as sent, without its question mark. */
  readonly search: string
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
  const { endpoint, platformId, search } = question
  const { wanted, flaws } = readParameters(endpoint, new URLSearchParams(search), assumptions)
  if (flaws.length > 0) return rejected({ status: 400, message: `Invalid query: ${flaws.join('; ')}` }, 'parameters')
  const reply =
    endpoint === 'guild' ? guildPage(rows, wanted, assumptions) : userPage(rows, platformId, wanted, assumptions)
  return isMissing(ledger, question, reply) ? nothingFound(endpoint) : { status: 200, body: reply }
}

/** What was answered about the same rows under the same readings. */
interface Recalled {
  readonly table: unknown
  readonly assumptions: Assumptions
  readonly answers: Map<string, Answer>
}

// Pages of 100 rows take some 40 KB each, and a client rarely asks for so many of them twice.
const mostRecalled = 64
const recalled = new WeakMap<Rows, Recalled>()

const recalledAbout = ({ rows, assumptions }: Ledger): Map<string, Answer> => {
  const table = rows.state()
  const known = recalled.get(rows)
  if (known?.table === table && known.assumptions === assumptions) return known.answers
  const answers = new Map<string, Answer>()
  recalled.set(rows, { table, assumptions, answers })
  return answers
}

/** The same as `answerFrom`, for those who do not change what they get: what was answered before is not worked out again. */
export const recallFrom = (ledger: Ledger, question: Question): Answer => {
  const answers = recalledAbout(ledger)
  // The query string holds no such sign, or it would have ended there.
  const asked = `${question.endpoint} ${question.search}#${question.platformId}`
  const before = answers.get(asked)
  if (before) return before
  const answer = answerFrom(ledger, question)
  if (answers.size >= mostRecalled) answers.delete(answers.keys().next().value ?? '')
  answers.set(asked, answer)
  return answer
}
