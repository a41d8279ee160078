// What can go wrong, and what to do about each: who has to act, what to tell the user, whether to try later.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node errors.ts <platformId>
import { GuildLedger, GuildLedgerError, type ErrorCode } from '@guild-ledger/sdk'

/** What to do about a failure. */
export interface Advice {
  /** Who has to do something: the guild's manager in the dashboard, the author of the bot, or nobody. */
  readonly who: 'nobody' | 'manager' | 'author'
  /** Words for the user who asked. Never the error itself: it is written for people who can do something about it. */
  readonly tell: string
  /** What the one who has to act should look at. */
  readonly check?: string
  /** When the same call may well succeed, in milliseconds; undefined if something has to change first. */
  readonly againInMs?: number
}

const nothingYet: Advice = { who: 'nobody', tell: 'Nothing has been bought yet.' }
// Which status gets an expired key, a missing scope or a lapsed subscription is not shown: so look at all of them.
const check = 'is the key in the dashboard, not expired, with the scope guild:read; is the subscription active?'
const lost = 'The bot has lost access to the ledger. A manager has been told.'
const noAccess: Advice = { who: 'manager', tell: lost, check }
const codeIsWrong: Advice = { who: 'author', tell: 'The bot made a mistake. Its author has been told.' }
const busy: Advice = { who: 'nobody', tell: 'The ledger is busy. Try again in a minute.', againInMs: 60_000 }
const down: Advice = { who: 'nobody', tell: 'The ledger cannot be reached right now.', againInMs: 60_000 }

/** By `code`, which is plain text: it survives a log, a queue, and two versions of the package side by side. */
const adviceFor: Partial<Record<ErrorCode, Advice>> = {
  // Answers rather than failures.
  no_guild_transactions: nothingYet,
  no_user_transactions: nothingYet,
  walk_empty: nothingYet,
  // The key, or the guild's subscription: then a new key does not help.
  invalid_api_key: noAccess,
  unauthorized: noAccess,
  forbidden: noAccess,
  missing_guild_id: noAccess,
  // Nothing was sent, or nothing like what the service expects: only new code or new settings help.
  configuration: codeIsWrong,
  invalid_parameter: codeIsWrong,
  bad_request: codeIsWrong,
  not_found: codeIsWrong, // no documented "no transactions": the path is wrong, look at baseUrl
  redirect_refused: codeIsWrong, // baseUrl points at something that points elsewhere
  invalid_response: codeIsWrong, // the service has changed: error.issues tell where
  walk_consumed: codeIsWrong,
  // All these were tried three times before you see them, as far as that makes sense.
  connection: down,
  timeout: down,
  throttle_unavailable: down,
  server_error: down,
  guild_transactions_failed: down,
  user_transactions_failed: down,
  walk_stuck: busy,
  queue_full: busy,
  rate_limited: busy,
}

/** What to do about `error`; undefined if it is none of the SDK's, such as an abort of your own. */
export const adviceAbout = (error: unknown): Advice | undefined => {
  if (!GuildLedgerError.is(error)) return undefined
  // Later versions may bring further codes, and the service further statuses: have an answer for the rest.
  const isUnpaid = 'status' in error && error.status === 402
  const advice = isUnpaid ? noAccess : (adviceFor[error.code] ?? down)
  const asked = 'retryAfterMs' in error ? error.retryAfterMs : undefined
  return typeof asked === 'number' ? { ...advice, againInMs: asked } : advice
}

if (import.meta.main) {
  try {
    const page = await new GuildLedger().user(process.argv[2] ?? 'nobody').transactions.list()
    console.log(`${page.pagination.total} transactions`)
  } catch (error) {
    const advice = adviceAbout(error)
    if (!advice) throw error
    console.log(advice.tell)
    // error.toJSON() is for the log: it holds no key, no body and no stack.
    if (advice.who !== 'nobody') console.error(`${advice.who}: ${advice.check ?? 'look at'} ${JSON.stringify(error)}`)
  }
}
