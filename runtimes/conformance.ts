/**
 * Checks what the SDK guarantees on every runtime, over HTTP. The same bundle runs everywhere, so it uses only the
 * globals of the web platform.
 */
import { GuildLedger, GuildLedgerError, type GuildLedgerOptions } from '@guild-ledger/sdk'

/** Addresses of the mock server and of a faulty server, whose paths begin with the name of a fault, see `servers.ts`. */
export interface Addresses {
  readonly mock: string
  readonly faulty: string
  /** Nothing listens here. */
  readonly closed: string
  readonly apiKey: string
  readonly isBrowser: boolean
}

const assert = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`failed: ${what}`)
}
const same = (actual: unknown, expected: unknown, what: string): void =>
  assert(
    JSON.stringify(actual) === JSON.stringify(expected),
    `${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`,
  )
const failureOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('the call did not fail')
}
const codeOf = async (call: () => Promise<unknown>): Promise<string> => {
  const error = await failureOf(call)
  if (GuildLedgerError.is(error)) return error.code
  throw new Error('the caller got an error that is not a GuildLedgerError', { cause: error })
}

/** Runs all checks and returns their names; throws at the first one that fails. */
export const conformance = async ({ mock, faulty, closed, apiKey, isBrowser }: Addresses): Promise<string[]> => {
  const connect = (baseUrl: string, options: GuildLedgerOptions = {}) =>
    new GuildLedger({
      apiKey,
      baseUrl,
      dangerouslyAllowBrowser: isBrowser,
      logLevel: 'off',
      attemptTimeoutMs: 60_000, // on a busy machine, the first request may take more than ten seconds
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
    'iterates over every transaction once': async () => {
      const ids = new Set<string>()
      let count = 0
      for await (const { transactionId } of ledger.transactions.iterate()) {
        ids.add(transactionId)
        count++
      }
      same([count, ids.size], [120, 120], 'transactions and ids')
    },
    'lists one user': async () => {
      const platformId = (await ledger.transactions.list()).data[0]?.platformId ?? ''
      same((await ledger.user(platformId).transactions.list()).data.platformId, platformId, 'platformId')
    },
    'encodes a user into one path segment': async () =>
      same(await codeOf(() => ledger.user('../../x?y#z').transactions.list()), 'no_user_transactions', 'code'),
    'rejects an invalid parameter without a request': async () =>
      same(await codeOf(() => ledger.transactions.list({ limit: 101 })), 'invalid_parameter', 'code'),
    'recognises a wrong key': async () =>
      same(await codeOf(() => connect(mock, { apiKey: 'wrong-key' }).transactions.list()), 'invalid_api_key', 'code'),
    'requests a path that the spec only names': async () =>
      same(await codeOf(() => ledger.get('/guild/discharges')), 'not_found', 'code'),
    'reports a refused connection': async () =>
      same(await codeOf(() => connect(closed).transactions.list()), 'connection', 'code'),
    'reports a truncated body': async () =>
      same(await codeOf(() => connect(`${faulty}/cut`).transactions.list()), 'connection', 'code'),
    'does not follow a redirect': async () =>
      same(await codeOf(() => connect(`${faulty}/redirect`).transactions.list()), 'redirect_refused', 'code'),
    'times out an attempt without a response': async () =>
      same(
        await codeOf(() => connect(`${faulty}/hang`, { attemptTimeoutMs: 200 }).transactions.list()),
        'timeout',
        'code',
      ),
    'times out an attempt whose body stalls': async () =>
      same(
        await codeOf(() => connect(`${faulty}/stall`, { attemptTimeoutMs: 200 }).transactions.list()),
        'timeout',
        'code',
      ),
    'times out a call': async () =>
      same(await codeOf(() => connect(`${faulty}/hang`, { timeoutMs: 200 }).transactions.list()), 'timeout', 'code'),
    'rejects with the reason of the abort': async () => {
      const controller = new AbortController()
      setTimeout(() => controller.abort('enough'), 50)
      same(
        await failureOf(() => connect(`${faulty}/hang`).transactions.list({}, { signal: controller.signal })),
        'enough',
        'reason',
      )
    },
    'shows the key nowhere': async () => {
      const error = await failureOf(() => connect(closed).transactions.list())
      const outputs = [
        JSON.stringify(ledger),
        String(ledger),
        String(error),
        JSON.stringify(error),
        (error as Error).stack,
      ]
      assert(!outputs.join('\n').includes(apiKey), 'no output contains the key')
    },
    ...(isBrowser && {
      'rejects to run in a web page without dangerouslyAllowBrowser': async () =>
        same(await codeOf(async () => connect(mock, { dangerouslyAllowBrowser: false })), 'configuration', 'code'),
    }),
  }

  const passed: string[] = []
  for (const [name, check] of Object.entries(checks)) {
    await check().catch((error: unknown) => {
      throw new Error(
        `${name}: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error)}`,
      )
    })
    passed.push(name)
  }
  return passed
}
