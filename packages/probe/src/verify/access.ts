import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { documentedErrors } from '@guild-ledger/sdk/contract'
import { valuesOf } from '../infer/domains.ts'
import type { RawResponse } from '../read/service.ts'
import type { Finding, ProbeKeys } from '../types.ts'

const keyAssumptions = {
  expired: 'expiredKeyStatus',
  unscoped: 'missingScopeStatus',
  lapsed: 'lapsedSubscriptionStatus',
} as const satisfies Record<keyof ProbeKeys, AssumptionKey>

const messageOf = (body: unknown): unknown => (body as { message?: unknown } | undefined)?.message

/** What the service does with each further key, from one request with it. */
export const accessFindings = async (
  keys: ProbeKeys,
  ask: (apiKey: string) => Promise<RawResponse | string>,
): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const name of Object.keys(keyAssumptions) as (keyof ProbeKeys)[]) {
    const key = keyAssumptions[name]
    const candidates = valuesOf(key)
    const apiKey = keys[name]
    const open = (needs: string): Finding => ({ key, verdict: 'consistent', candidates, needs, evidence: [] })
    const response = apiKey === undefined ? `a key for it: --${name}-key-env` : await ask(apiKey)
    if (typeof response === 'string') {
      findings.push(open(response))
      continue
    }
    const { status, body } = response
    const { invalidApiKey } = documentedErrors
    const evidence = ['/guild/ledger/transactions with this key']
    if (status === invalidApiKey.status && messageOf(body) === invalidApiKey.message)
      findings.push(open('a check of the key: the response is the same as to an unknown key, so it may be mistyped'))
    else if (candidates.includes(status))
      findings.push({ key, verdict: 'decided', value: status, candidates: [status], evidence })
    else findings.push({ key, verdict: 'unexplained', candidates: [], unexplained: [`status ${status}`], evidence })
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
  const finding = (key: AssumptionKey, candidates: Finding['candidates'], needs: string): Finding => ({
    key,
    verdict: 'consistent',
    candidates,
    needs,
    evidence: [],
  })
  const [form = 'none', ...others] = accepted
  const [limitedForm = form, ...more] = rejected
  const isMixed =
    others.length > 0 || more.length > 0 || form === 'other' || form === 'retry-after' || limitedForm === 'other'
  const fits = limitedForm === form || (form === 'none' && limitedForm === 'retry-after')
  const headers = (): Finding => {
    const key = 'rateLimitHeaders'
    if (isMixed || !fits)
      return { key, verdict: 'unexplained', candidates: [], unexplained: ['headers about the rate limit'], evidence }
    if (rejected.length > 0) return { key, verdict: 'decided', value: limitedForm, candidates: [limitedForm], evidence }
    return finding(key, form === 'none' ? ['retry-after', 'none'] : [form], never)
  }
  const needsBurst = 'requests above the limit, which the probe does not send'
  return [
    finding('rateLimitAlgorithm', valuesOf('rateLimitAlgorithm'), needsBurst),
    finding('rateLimitScope', valuesOf('rateLimitScope'), needsBurst),
    limited.length > 0
      ? { key: 'rateLimitStatus', verdict: 'decided', value: 429, candidates: [429], evidence }
      : finding('rateLimitStatus', [429, 503], never),
    headers(),
    finding('rateLimitedRequestsCount', [false, true], needsBurst),
    finding('maxKeysPerGuild', [null], 'the dashboard of the service: no request shows it'),
  ]
}
