import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { GuildLedgerError } from '@guild-ledger/sdk'
import { documentedErrors } from '@guild-ledger/sdk/contract'
import { valuesOf, type Value } from '../infer/domains.ts'
import { RequestLimitReached } from '../problem.ts'
import { connect, type RawResponse, type Service } from '../read/service.ts'
import type { CheckedOptions, Finding, ProbeKeys, Verdict } from '../types.ts'

const maxRequestsPerKey = 10

const keyAssumptions = {
  expired: 'expiredKeyStatus',
  unscoped: 'missingScopeStatus',
  lapsed: 'lapsedSubscriptionStatus',
} as const satisfies Record<keyof ProbeKeys, AssumptionKey>

const finding = (key: AssumptionKey, verdict: Verdict, more: Partial<Finding>): Finding => ({
  key,
  verdict,
  candidates: [],
  evidence: [],
  ...more,
})
const consistent = (key: AssumptionKey, needs: string, candidates = valuesOf(key)): Finding =>
  finding(key, 'consistent', { candidates, needs })
const decided = (key: AssumptionKey, value: Value, evidence: readonly string[]): Finding =>
  finding(key, 'decided', { value, candidates: [value], evidence })

const findingFrom = (key: AssumptionKey, { status, body }: RawResponse): Finding => {
  const { invalidApiKey } = documentedErrors
  const message = (body as { message?: unknown } | undefined)?.message
  if (status === invalidApiKey.status && message === invalidApiKey.message)
    return consistent(key, 'a check of the key: the response is the same as to an unknown key, so it may be mistyped')
  const evidence = ['/guild/ledger/transactions with this key']
  return valuesOf(key).includes(status)
    ? decided(key, status, evidence)
    : finding(key, 'unexplained', { unexplained: [`status ${status}`], evidence })
}

/** A request with a further key; the reason where there is no response. */
const askWith = async (apiKey: string, options: CheckedOptions, { counts }: Service): Promise<RawResponse | string> => {
  const maxRequests = Math.min(maxRequestsPerKey, options.maxRequests - counts.sent)
  const other = connect({ ...options, apiKey, maxRequests })
  try {
    return await other.ask({ endpoint: 'guild', query: { limit: '1' } })
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof RequestLimitReached) return 'more requests: raise maxRequests'
    const code = GuildLedgerError.is(error) ? error.code : 'unknown'
    return `another attempt: the request with this key failed (${code})`
  } finally {
    counts.sent += other.counts.sent
    await other.close()
  }
}

/** What the service does with each further key, from one request with it. */
export const accessFindings = async (options: CheckedOptions, service: Service): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const name of Object.keys(keyAssumptions) as (keyof ProbeKeys)[]) {
    const [key, apiKey] = [keyAssumptions[name], options.keys?.[name]]
    const response = apiKey === undefined ? `a key for it: --${name}-key-env` : await askWith(apiKey, options, service)
    findings.push(typeof response === 'string' ? consistent(key, response) : findingFrom(key, response))
  }
  return findings
}

const digits = /^\d+$/
/** The headers about the rate limit by the value of the assumption, as a mock sends them. */
const headerForms: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  none: {},
  'retry-after': { 'retry-after': digits },
  'x-ratelimit': {
    'x-ratelimit-limit': digits,
    'x-ratelimit-remaining': digits,
    // A number of seconds until the reset is smaller, and a time in milliseconds larger.
    'x-ratelimit-reset': /^\d{9,11}$/,
  },
  ratelimit: { ratelimit: /^"[^"]*"; *r=\d+; *t=\d+$/, 'ratelimit-policy': /^"[^"]*"; *q=\d+; *w=\d+$/ },
}

/** The form of a response's headers about the rate limit; `other` if no value has it. */
const formOf = ({ headers }: Pick<RawResponse, 'headers'>): string => {
  const names = Object.keys(headers).filter((name) => /rate-?limit|retry-?after/.test(name))
  const form = Object.entries(headerForms).find(
    ([, patterns]) =>
      Object.keys(patterns).length === names.length && names.every((name) => patterns[name]?.test(headers[name] ?? '')),
  )
  return form?.[0] ?? 'other'
}

const never = 'a rate-limited response: the probe stays below the limit'

/** What ordinary responses show about the rate limit. */
export const rateLimitFindings = (received: readonly Omit<RawResponse, 'body'>[]): Finding[] => {
  const limited = received.filter(({ status }) => status === 429)
  const accepted = [...new Set(received.filter(({ status }) => status !== 429 && status < 500).map(formOf))]
  const rejected = [...new Set(limited.map(formOf))]
  const evidence = limited.length > 0 ? ['a rate-limited response'] : []
  const [form = 'none'] = accepted
  const [limitedForm = form] = rejected
  const possible = form === 'none' ? ['retry-after', 'none'] : [form].filter((one) => /ratelimit/.test(one))
  const headers = (): Finding => {
    const key = 'rateLimitHeaders'
    if (accepted.length > 1 || rejected.length > 1 || !possible.includes(limitedForm))
      return finding(key, 'unexplained', { unexplained: ['headers about the rate limit'], evidence })
    return rejected.length > 0 ? decided(key, limitedForm, evidence) : consistent(key, never, possible)
  }
  const unshown = ['rateLimitAlgorithm', 'rateLimitScope', 'rateLimitedRequestsCount'] as const
  return [
    ...unshown.map((key) => consistent(key, 'requests above the limit, which the probe does not send')),
    limited.length > 0 ? decided('rateLimitStatus', 429, evidence) : consistent('rateLimitStatus', never),
    headers(),
    consistent('maxKeysPerGuild', 'the dashboard of the service: no request shows it', [null]),
  ]
}
