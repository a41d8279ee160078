import type { MockResponse } from '../http.ts'

/** Lets pages of any origin read responses. No cookies are involved: the API key travels in a header. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const

/** The response to a preflight request. `*` does not stand for `authorization`. */
export const preflightResponse: MockResponse = {
  status: 204,
  headers: {
    ...corsHeaders,
    allow: 'GET, HEAD, OPTIONS',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': '*, authorization',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  },
  body: '',
}

export const withCors = (response: MockResponse): MockResponse => ({
  ...response,
  headers: { ...response.headers, ...corsHeaders },
})
