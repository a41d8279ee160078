// Handle each error: who has to act, what to tell the user, and when to retry.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node errors.ts <platformId>
import { GuildLedger, GuildLedgerError, type Actor, type ErrorCode } from '@guild-ledger/sdk'

/** What to do about an error. */
export interface Advice {
  /** Who has to act: the guild manager in the dashboard, the author of the bot, or nobody. */
  readonly actor: Actor
  /** What to tell the user. Never the message of the error: it is written for those who can fix it. */
  readonly message: string
  /** What the actor should check. */
  readonly check?: string
  /** When the same call may succeed, in milliseconds; undefined if something has to change first. */
  readonly retryAfterMs?: number
}

const down = 'The ledger cannot be reached right now.'
const busy = 'The ledger is busy. Try again in a minute.'
const messages: Record<Actor, string> = {
  author: 'The bot made a mistake. Its author has been notified.',
  manager: 'The bot has lost access to the ledger. A manager has been notified.',
  nobody: down,
}
// The status for an expired key, a missing scope or a lapsed subscription is unspecified, so check all of them.
const check = 'is the key in the dashboard, not expired, with the scope guild:read; is the subscription active?'

/** By `code`, a string that survives logs, queues and two installed versions of the package. */
const messageByCode: Partial<Record<ErrorCode, string>> = {
  // Empty results rather than failures.
  no_guild_transactions: 'Nothing has been bought yet.',
  no_user_transactions: 'Nothing has been bought yet.',
  no_results: 'Nothing has been bought yet.',
  rate_limited: busy,
  queue_full: busy,
}

/** Returns what to do about an error; undefined for errors that are not the SDK's, such as your own abort. */
export const adviceFor = (error: unknown): Advice | undefined => {
  if (!GuildLedgerError.is(error)) return undefined
  // The SDK has already retried what it can. `actor` and `retryable` also exist for codes that later versions add.
  const { code, actor, retryable } = error
  const wait = 'retryAfterMs' in error ? error.retryAfterMs : undefined
  return {
    actor,
    message: messageByCode[code] ?? (retryable ? down : messages[actor]),
    ...(actor === 'manager' && { check }),
    ...(retryable && { retryAfterMs: wait ?? 60_000 }),
  }
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
