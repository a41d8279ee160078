import { createThrottle, GuildLedgerError, responseOf, type GuildPage } from '@guild-ledger/sdk'
import { requiredScope } from '@guild-ledger/sdk/contract'
import { createClient, type ClientFlags } from './flags.ts'
import { writeOut } from './files.ts'
import { formatCount } from './progress.ts'

/** Options of `verify`. */
export interface VerifyFlags extends ClientFlags {
  readonly verbose?: boolean
}

/** Headers in which services say how much of the rate limit is left; the spec names none. */
const rateLimitHeader = /^(x-)?ratelimit/i

/** Requests one transaction; what the service says of an empty ledger is a response, too. */
const readOne = async (list: () => Promise<GuildPage>) => {
  try {
    const page = await list()
    return { summary: page.summary, headers: responseOf(page)?.headers, attempts: page.response.attempts }
  } catch (error) {
    if (!GuildLedgerError.is(error) || error.code !== 'no_guild_transactions') throw error
    return { summary: { totalTransactions: 0, uniqueUsers: 0 }, headers: error.headers, attempts: error.attempts }
  }
}

/** Says whether the key works and for what, what the service is, and the state of the rate limit. */
export const verify = async (flags: VerifyFlags, signal: AbortSignal): Promise<void> => {
  const throttle = createThrottle()
  await using ledger = createClient(flags, { throttle })
  const startedAt = performance.now()
  const list = () => ledger.transactions.list({ limit: 1 }, { signal, validation: 'strict' })
  const { summary, headers = new Headers(), attempts } = await readOne(list)
  const milliseconds = Math.round(performance.now() - startedAt)
  const { baseUrl } = ledger.toJSON()
  const { totalTransactions, uniqueUsers } = summary
  const { rateLimited, requestsPerSecond } = throttle.stats
  const rateLimit =
    rateLimited > 0
      ? `${rateLimited} of ${attempts} requests got a 429: other programs use the key, run one gateway for all`
      : `no 429, at most ${requestsPerSecond} requests per second are sent`
  const announced = [...headers].filter(([name]) => rateLimitHeader.test(name))
  const date = Date.parse(headers.get('date') ?? '')
  const clock = Number.isNaN(date) ? undefined : Math.round((Date.now() - date) / 1000)
  const facts = {
    key: `accepted, has the scope ${requiredScope}`,
    service: baseUrl,
    ledger: `${formatCount(totalTransactions)} transactions of ${formatCount(uniqueUsers)} users`,
    'rate limit': rateLimit,
    ...(announced.length > 0 && { announced: announced.map((header) => header.join(': ')).join(', ') }),
    response: `${milliseconds} ms, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(headers.has('server') && { server: headers.get('server') ?? '' }),
    ...(clock !== undefined && {
      clock: Math.abs(clock) < 3 ? 'agrees with the service' : `differs by ${clock} s: set it`,
    }),
    'next step': `npx @guild-ledger/probe --base-url ${baseUrl} --api-key-env ${flags.apiKeyEnv ?? 'GUILD_LEDGER_API_KEY'} --out probe tells how this service behaves where its spec does not say`,
  }
  if (flags.json)
    return writeOut(`${JSON.stringify({ ...facts, transactions: totalTransactions, users: uniqueUsers })}\n`)
  const table = Object.entries(facts).map(([name, fact]) => `${name.padEnd(12)}${fact}\n`)
  const line = `The key works: ${facts.ledger} at ${baseUrl}; ${rateLimit}. What the spec does not say about it: npx @guild-ledger/probe --help\n`
  return writeOut(flags.verbose ? table.join('') : line)
}
