import type { RawResponse } from '../model/observe.ts'

interface HeaderForm {
  readonly pattern: RegExp
  /** What the header is if the pattern matches. */
  readonly meaning: string
}

const digits: HeaderForm = { pattern: /^\d+$/, meaning: 'an integer' }

/** The headers about the rate limit by the value of the assumption, as a mock with this value sends them. */
const headersOf: Readonly<Record<string, Readonly<Record<string, HeaderForm>>>> = {
  none: {},
  'retry-after': { 'retry-after': { pattern: /^\d+$/, meaning: 'a number of seconds' } },
  'x-ratelimit': {
    'x-ratelimit-limit': digits,
    'x-ratelimit-remaining': digits,
    // A number of seconds until the reset is smaller, and a time in milliseconds larger.
    'x-ratelimit-reset': { pattern: /^\d{9,11}$/, meaning: 'a time in seconds since 1970' },
  },
  ratelimit: {
    ratelimit: { pattern: /^"[^"]*"; *r=\d+; *t=\d+$/, meaning: 'of the form "default";r=9;t=1' },
    'ratelimit-policy': { pattern: /^"[^"]*"; *q=\d+; *w=\d+$/, meaning: 'of the form "default";q=10;w=1' },
  },
}

/** The headers of a response about the rate limit: a value of the assumption, or what none of the values has. */
export type Headers = { readonly value: string } | { readonly other: string }

/** Compares the headers of a response with those of each value. */
const headersIn = ({ headers }: RawResponse): Headers => {
  const names = Object.keys(headers)
    .filter((name) => /rate-?limit|retry-?after/.test(name))
    .toSorted()
  const value = Object.keys(headersOf).find((one) => Object.keys(headersOf[one] ?? {}).join() === names.join())
  if (value === undefined) return { other: `the header${names.length > 1 ? 's' : ''} ${names.join(', ')}` }
  const wrong = Object.entries(headersOf[value] ?? {}).find(([name, { pattern }]) => !pattern.test(headers[name] ?? ''))
  return wrong ? { other: `a header ${wrong[0]} that is not ${wrong[1].meaning}` } : { value }
}

/** The kinds of headers that responses have. */
export const kindsOfHeaders = (responses: readonly RawResponse[]): Headers[] => [
  ...new Map(responses.map(headersIn).map((one) => [JSON.stringify(one), one])).values(),
]
