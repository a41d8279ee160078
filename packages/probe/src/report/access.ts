import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { GuildLedgerError } from '@guild-ledger/sdk'
import { documentedErrors } from '@guild-ledger/sdk/contract'
import { valuesOf, type Value } from '../infer/domains.ts'
import { RequestLimitReached } from '../problem.ts'
import { connect, type RawResponse, type Service } from '../read/service.ts'
import type { CheckedOptions, Finding, ProbeKeys } from '../types.ts'
import { open } from './findings.ts'

const maxRequestsPerKey = 10

const keyAssumptions = [
  ['expired', 'expiredKeyStatus'],
  ['unscoped', 'missingScopeStatus'],
  ['lapsed', 'lapsedSubscriptionStatus'],
] as const

/** A finding from a response that shows the value; `unexplained` if there is no such value. */
const shown = (key: AssumptionKey, value: Value | undefined, what: string, evidence: readonly string[]): Finding =>
  value !== undefined && valuesOf(key).includes(value)
    ? { key, verdict: 'decided', value, candidates: [value], evidence }
    : { key, verdict: 'unexplained', candidates: [], unexplained: [what], evidence }

/** What the service does with a further key, from the response to one request. */
const findingWith = async (
  name: keyof ProbeKeys,
  key: AssumptionKey,
  options: CheckedOptions,
  { counts }: Service,
): Promise<Finding> => {
  const apiKey = options.keys?.[name]
  if (apiKey === undefined) return open(key, `A key for it would show it: --${name}-key-env.`)
  const maxRequests = Math.min(maxRequestsPerKey, options.maxRequests - counts.sent)
  const other = connect({ ...options, apiKey, maxRequests })
  try {
    const { status, body } = await other.ask({ endpoint: 'guild', query: { limit: '1' } })
    const { invalidApiKey } = documentedErrors
    const { message } = (body ?? {}) as { message?: unknown }
    if (status === invalidApiKey.status && message === invalidApiKey.message)
      return open(key, 'The response is the same as to an unknown key: check that the key is not mistyped.')
    return shown(key, status, `status ${status}`, ['/guild/ledger/transactions with this key'])
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof RequestLimitReached) return open(key, 'The limit of requests was reached: raise maxRequests.')
    const code = GuildLedgerError.is(error) ? error.code : 'unknown'
    return open(key, `The request with this key failed (${code}): try again.`)
  } finally {
    counts.sent += other.counts.sent
    await other.close()
  }
}

/** What the service does with each further key. */
export const accessFindings = async (options: CheckedOptions, service: Service): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const [name, key] of keyAssumptions) findings.push(await findingWith(name, key, options, service))
  return findings
}

/** The headers about the rate limit, one on each line, by the value of the assumption, as a mock sends them. */
const headerForms: Readonly<Record<string, RegExp>> = {
  none: /^$/,
  'retry-after': /^retry-after: \d+$/,
  // A number of seconds until the reset is smaller, and a time in milliseconds larger.
  'x-ratelimit': /^x-ratelimit-limit: \d+\nx-ratelimit-remaining: \d+\nx-ratelimit-reset: \d{9,11}$/,
  ratelimit: /^ratelimit: "[^"]*"; *r=\d+; *t=\d+\nratelimit-policy: "[^"]*"; *q=\d+; *w=\d+$/,
}

/** Whether a mock with a value of `rateLimitHeaders` sends such headers. */
const sendsHeaders = (value: Value, { status, headers }: Omit<RawResponse, 'body'>): boolean => {
  const lines = Object.entries(headers).filter(([name]) => /rate-?limit|retry-?after/.test(name))
  const form = value === 'retry-after' && status !== 429 ? 'none' : String(value)
  return status >= 500 || !!headerForms[form]?.test(lines.map((line) => line.join(': ')).join('\n'))
}

/** What ordinary responses show about the rate limit. */
export const rateLimitFindings = (received: readonly Omit<RawResponse, 'body'>[]): Finding[] => {
  const unsent = 'Requests above the limit would show it, and the probe sends none.'
  const unlimited = 'No response was rate-limited: the probe stays below the limit.'
  const isLimited = received.some(({ status }) => status === 429)
  const evidence = isLimited ? ['a rate-limited response'] : []
  const forms = valuesOf('rateLimitHeaders').filter((value) => received.every((one) => sendsHeaders(value, one)))
  return [
    open('rateLimitAlgorithm', unsent),
    open('rateLimitScope', unsent),
    isLimited ? shown('rateLimitStatus', 429, 'status 429', evidence) : open('rateLimitStatus', unlimited),
    isLimited || forms.length === 0
      ? shown('rateLimitHeaders', forms[0], 'headers about the rate limit', evidence)
      : open('rateLimitHeaders', unlimited, forms),
    open('rateLimitedRequestsCount', unsent),
    open('maxKeysPerGuild', 'The dashboard of the service shows it, and no request does.', [null]),
  ]
}
