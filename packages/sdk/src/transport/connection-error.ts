import { ApiError, ConnectionError, GuildLedgerError, TimeoutError } from '../errors/index.ts'
import { inOneLine } from './to-error.ts'

/** The errors behind a failure, innermost last: runtimes wrap "connection refused" in one to three layers. */
const chainOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...chainOf(error.cause)] : [])

/** The innermost reason of a failure. */
const reasonOf = (error: unknown): string => inOneLine(chainOf(error).at(-1)?.message ?? '').replace(/[:.]+$/, '')

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Failures that are mistakes in `baseUrl`, by scheme, and what they mean. Runtimes name them differently. */
const mistakes: Readonly<Record<string, readonly [pattern: RegExp, meaning: string]>> = {
  'https:': [
    /wrong.version.number|packet.length.too.long|EPROTO|InvalidContentType/i,
    'no https at this address. If the service speaks http there, baseUrl must begin with http://',
  ],
  'http:': [
    /other side closed|ECONNRESET|socket hang up|closed unexpectedly/i,
    'the connection was closed without a response. If the service speaks https there, baseUrl must begin with https://',
  ],
}

/**
 * Makes the error for a `fetch` or a body that failed. Node, Bun, Deno, workerd and browsers report a failed connection in
 * five shapes: where the error was caught decides, not its shape.
 */
export const toConnectionError = (label: string, url: string, cause: unknown, isReading: boolean): ConnectionError => {
  const reason = reasonOf(cause) || 'the connection failed'
  const [pattern, meaning] = mistakes[new URL(url).protocol] ?? []
  const isMistake = !isReading && chainOf(cause).some((error) => pattern?.test(`${error.message} ${codeOf(error)}`))
  return new ConnectionError(
    isMistake
      ? `${label} failed: ${meaning}.`
      : `${label} failed: ${isReading ? 'the response broke off: ' : ''}${reason}. Check baseUrl and the network, or try again.`,
    { cause },
  )
}

/** What failed, in a few words for the log: a status, the reason of a failed connection, or a code. */
export const summarize = (error: unknown): string => {
  if (error instanceof ApiError) return String(error.status)
  if (error instanceof TimeoutError) return 'a timeout'
  if (error instanceof ConnectionError) return `a connection error (${reasonOf(error)})`
  return GuildLedgerError.is(error) ? error.code : 'an error'
}
