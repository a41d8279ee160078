/**
 * What the SDK promises on every runtime, asked of it over HTTP. Bundled once and run as it is everywhere: it uses
 * nothing but the web's own globals.
 */
import { GuildLedger, GuildLedgerError, type GuildLedgerOptions } from '@guild-ledger/sdk'

/** Where the mock server is, and a server that misbehaves: `/redirect`, `/hang`, `/cut`, `/stall` before each path. */
export interface Addresses {
  readonly mock: string
  readonly trouble: string
  /** Nobody listens here. */
  readonly closed: string
  readonly apiKey: string
  readonly isBrowser: boolean
}

const assert = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`not so: ${what}`)
}
const same = (actual: unknown, expected: unknown, what: string): void =>
  assert(
    JSON.stringify(actual) === JSON.stringify(expected),
    `${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`,
  )
const failure = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('not so: the call failed')
}
const codeOf = async (call: () => Promise<unknown>): Promise<string> => {
  const error = await failure(call)
  if (GuildLedgerError.is(error)) return error.code
  throw new Error('a foreign error reached the caller', { cause: error })
}

/** Runs every check in turn and tells the names of those that hold; throws at the first that does not. */
export const conformance = async ({ mock, trouble, closed, apiKey, isBrowser }: Addresses): Promise<string[]> => {
  const connect = (baseUrl: string, options: GuildLedgerOptions = {}) =>
    new GuildLedger({
      apiKey,
      baseUrl,
      dangerouslyAllowBrowser: isBrowser,
      logLevel: 'off',
      retry: { baseDelayMs: 1, maxRetries: 1 },
      ...options,
    })
  const ledger = connect(mock)

  const checks: Record<string, () => Promise<void>> = {
    'lists a page with its metadata': async () => {
      const page = await ledger.transactions.list({ limit: 5 })
      same(page.pagination, { page: 1, limit: 5, total: 120, totalPages: 24 }, 'pagination')
      same([page.response.status, page.response.attempts], [200, 1], 'response')
      assert(!Object.keys(page).includes('response'), 'response is not enumerable')
    },
    'walks every transaction once': async () => {
      const ids = new Set<string>()
      let rows = 0
      for await (const { transactionId } of ledger.transactions.iterate()) {
        ids.add(transactionId)
        rows += 1
      }
      same([rows, ids.size], [120, 120], 'rows and ids')
    },
    'lists one user': async () => {
      const platformId = (await ledger.transactions.list()).data[0]?.platformId ?? ''
      same((await ledger.user(platformId).transactions.list()).data.platformId, platformId, 'platformId')
    },
    'encodes a user into one path segment': async () =>
      same(await codeOf(() => ledger.user('../../x?y#z').transactions.list()), 'no_user_transactions', 'code'),
    'refuses a wrong parameter before sending': async () =>
      same(await codeOf(() => ledger.transactions.list({ limit: 101 })), 'invalid_parameter', 'code'),
    'tells a wrong key': async () =>
      same(await codeOf(() => connect(mock, { apiKey: 'wrong-key' }).transactions.list()), 'invalid_api_key', 'code'),
    'asks for an undescribed path': async () =>
      same(await codeOf(() => ledger.get('/guild/discharges')), 'not_found', 'code'),
    'reports a refused connection': async () =>
      same(await codeOf(() => connect(closed).transactions.list()), 'connection', 'code'),
    'reports a body that breaks off': async () =>
      same(await codeOf(() => connect(`${trouble}/cut`).transactions.list()), 'connection', 'code'),
    'does not follow a redirect': async () =>
      same(await codeOf(() => connect(`${trouble}/redirect`).transactions.list()), 'redirect_refused', 'code'),
    'ends an attempt without a reply': async () =>
      same(
        await codeOf(() => connect(`${trouble}/hang`, { attemptTimeoutMs: 200 }).transactions.list()),
        'timeout',
        'code',
      ),
    'ends an attempt whose body stalls': async () =>
      same(
        await codeOf(() => connect(`${trouble}/stall`, { attemptTimeoutMs: 200 }).transactions.list()),
        'timeout',
        'code',
      ),
    'ends a call in time': async () =>
      same(await codeOf(() => connect(`${trouble}/hang`, { timeoutMs: 200 }).transactions.list()), 'timeout', 'code'),
    'rejects with the reason of an abort': async () => {
      const stop = new AbortController()
      setTimeout(() => stop.abort('enough'), 50)
      same(
        await failure(() => connect(`${trouble}/hang`).transactions.list({}, { signal: stop.signal })),
        'enough',
        'reason',
      )
    },
    'keeps the key to itself': async () => {
      const error = await failure(() => connect(closed).transactions.list())
      const shown = [
        JSON.stringify(ledger),
        String(ledger),
        String(error),
        JSON.stringify(error),
        (error as Error).stack,
      ]
      assert(!shown.join('\n').includes(apiKey), 'no output holds the key')
    },
    ...(isBrowser && {
      'refuses to run in a web page unless told that it is safe': async () =>
        same(await codeOf(async () => connect(mock, { dangerouslyAllowBrowser: false })), 'configuration', 'code'),
    }),
  }

  const held: string[] = []
  for (const [name, check] of Object.entries(checks)) {
    await check().catch((error: unknown) => {
      throw new Error(
        `${name}: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error)}`,
      )
    })
    held.push(name)
  }
  return held
}
