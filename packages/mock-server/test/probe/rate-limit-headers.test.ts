import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import type { RawResponse } from '../../src/probe/model/observe.ts'
import { rateLimitVerdicts } from '../../src/probe/rate-limit/verdicts.ts'

type Headers = RawResponse['headers']

/** The verdict on a service whose responses have these headers: those accepted, and one with status 429 for each given. */
const verdictFor = (accepted: Headers, ...limited: Headers[]) =>
  rateLimitVerdicts(
    [{ status: 200, headers: { date: 'any', ...accepted }, body: undefined }],
    limited.map((headers) => ({ status: 429, headers, body: undefined })),
  ).find(({ key }) => key === 'rateLimitHeaders')

const usual = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1780000001' }
const current = { ratelimit: '"default";r=9;t=1', 'ratelimit-policy': '"default";q=10;w=1' }
const old = { ratelimit: 'limit=10, remaining=9, reset=1', 'ratelimit-policy': '10;w=1' }
const retryAfter = { 'retry-after': '1' }

it.each<[string, Headers, Headers, string]>([
  ['RateLimit of an earlier draft', old, old, 'ratelimit that is not of the form'],
  [
    'a policy of an earlier draft',
    { ...current, 'ratelimit-policy': '10;w=1' },
    current,
    'ratelimit-policy that is not',
  ],
  ['RateLimit without a policy', { ratelimit: current.ratelimit }, {}, 'the header ratelimit'],
  ['X-RateLimit-Reset in seconds from now', { ...usual, 'x-ratelimit-reset': '1' }, usual, 'seconds since 1970'],
  ['X-RateLimit-Reset in ms', { ...usual, 'x-ratelimit-reset': '1780000001000' }, usual, 'seconds since 1970'],
  [
    'two kinds of headers',
    { ...usual, ...current },
    { ...usual, ...current },
    'the headers ratelimit, ratelimit-policy, x-',
  ],
  [
    'X-RateLimit-*, and Retry-After if limited',
    usual,
    { ...usual, ...retryAfter },
    'the headers retry-after, x-ratelimit-limit',
  ],
  ['RateLimit, and Retry-After if limited', current, { ...current, ...retryAfter }, 'ratelimit-policy, retry-after'],
  ['X-RateLimit-* unless limited', usual, {}, 'do not have the headers of x-ratelimit'],
  ['X-RateLimit-* only if limited', {}, usual, 'only rate-limited responses have the headers of x-ratelimit'],
  [
    'X-RateLimit-Reset-After only if limited',
    {},
    { 'x-ratelimit-reset-after': '0.6' },
    'header x-ratelimit-reset-after',
  ],
  ['Retry-After with a date', {}, { 'retry-after': 'Sun, 01 Feb 2026 00:00:00 GMT' }, 'not a number of seconds'],
  ['Retry-After in each response', retryAfter, retryAfter, 'not rate-limited'],
])('no value describes %s', (_, accepted, limited, observed) => {
  const verdict = verdictFor(accepted, limited)

  expect(verdict).toMatchObject({ verdict: 'outside', candidates: [] })
  expect(verdict?.observed).toContain(observed)
})

it('does not decide headers of all responses before a request is rate-limited', () => {
  const found = { verdict: 'consistent', needs: 'a rate-limited response: option `burst`' }

  expect(verdictFor(usual)).toMatchObject({ ...found, value: 'x-ratelimit', candidates: ['x-ratelimit'] })
  expect(verdictFor(current)).toMatchObject({ ...found, value: 'ratelimit', candidates: ['ratelimit'] })
})

it.each(['retry-after', 'none', 'x-ratelimit', 'ratelimit'] as const)(
  'decides %s for a mock that sends such headers',
  (rateLimitHeaders: Assumptions['rateLimitHeaders']) => {
    const mock = createMockLedger({ transactions: 0, rateLimit: 2, assumptions: { rateLimitHeaders } })
    const request = { method: 'GET', target: '/guild/ledger/transactions', apiKey: mock.apiKey }
    const [first, , third] = [1, 2, 3].map(() => mock.respond(request).headers)

    expect(verdictFor(first ?? {}, third ?? {}, third ?? {})).toMatchObject({
      verdict: 'decided',
      value: rateLimitHeaders,
    })
  },
)
