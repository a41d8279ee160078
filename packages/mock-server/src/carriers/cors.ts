import type { IncomingMessage } from 'node:http'

/** Lets pages of any origin read replies. No cookies are involved: the key travels in a header. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const

const secondsToRemember = 600

/** What a browser is told when it asks before the request. The star does not stand for `authorization`. */
export const preflightHeaders = {
  ...corsHeaders,
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': String(secondsToRemember),
} as const

/** Whether the request only asks what may be asked. */
export const isOptions = ({ method }: IncomingMessage): boolean => method === 'OPTIONS'
