// Handle each error: who has to act, what to tell the user, and when to retry.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node errors.ts <platformId>
import { GuildLedger, GuildLedgerError, type ErrorCode } from '@guild-ledger/sdk'

/** What to do about an error. */
export interface Advice {
  /** Who has to act: the guild manager in the dashboard, the author of the bot, or nobody. */
  readonly actor: 'nobody' | 'manager' | 'author'
  /** What to tell the user. Never the message of the error: it is written for those who can fix it. */
  readonly message: string
  /** What the actor should check. */
  readonly check?: string
  /** When the same call may succeed, in milliseconds; undefined if something has to change first. */
  readonly retryAfterMs?: number
}

const nothingYet: Advice = { actor: 'nobody', message: 'Nothing has been bought yet.' }
// The status for an expired key, a missing scope or a lapsed subscription is unspecified, so check all of them.
const check = 'is the key in the dashboard, not expired, with the scope guild:read; is the subscription active?'
const message = 'The bot has lost access to the ledger. A manager has been notified.'
const noAccess: Advice = { actor: 'manager', message, check }
const bug: Advice = { actor: 'author', message: 'The bot made a mistake. Its author has been notified.' }
const busy: Advice = { actor: 'nobody', message: 'The ledger is busy. Try again in a minute.', retryAfterMs: 60_000 }
const down: Advice = { actor: 'nobody', message: 'The ledger cannot be reached right now.', retryAfterMs: 60_000 }

/** By `code`, a string that survives logs, queues and two installed versions of the package. */
const adviceByCode: Partial<Record<ErrorCode, Advice>> = {
  // Empty results rather than failures.
  no_guild_transactions: nothingYet,
  no_user_transactions: nothingYet,
  no_results: nothingYet,
  // The key, or the subscription of the guild. A new key does not help with the latter.
  invalid_api_key: noAccess,
  unauthorized: noAccess,
  forbidden: noAccess,
  missing_guild_id: noAccess,
  // Nothing was sent, or the service did not expect it: the code or the configuration has to change.
  configuration: bug,
  invalid_parameter: bug,
  bad_request: bug,
  not_found: bug, // not a documented "no transactions": the path is wrong, check baseUrl
  redirect_refused: bug, // baseUrl redirects to another address
  invalid_response: bug, // the service has changed: see error.issues
  paginator_consumed: bug,
  // The SDK has already retried these where that makes sense.
  connection: down,
  timeout: down,
  throttle_unavailable: down,
  server_error: down,
  guild_transactions_failed: down,
  user_transactions_failed: down,
  pagination_stalled: busy,
  queue_full: busy,
  rate_limited: busy,
}

/** Returns what to do about an error; undefined for errors that are not the SDK's, such as your own abort. */
export const adviceFor = (error: unknown): Advice | undefined => {
  if (!GuildLedgerError.is(error)) return undefined
  // Later versions may have further codes, and the service further statuses.
  const isUnpaid = 'status' in error && error.status === 402
  const advice = isUnpaid ? noAccess : (adviceByCode[error.code] ?? down)
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined
  return typeof retryAfterMs === 'number' ? { ...advice, retryAfterMs } : advice
}

if (import.meta.main) {
  try {
    const page = await new GuildLedger().user(process.argv[2] ?? 'nobody').transactions.list()
    console.log(`${page.pagination.total} transactions`)
  } catch (error) {
    const advice = adviceFor(error)
    if (!advice) throw error
    console.log(advice.message)
    // error.toJSON() is safe to log: it contains no key, body or stack.
    if (advice.actor !== 'nobody') console.error(`${advice.actor}: ${advice.check ?? 'see'} ${JSON.stringify(error)}`)
  }
}
