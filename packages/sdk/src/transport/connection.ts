import { ConnectionError } from '../errors/index.ts'
import { inOneLine } from './in-one-line.ts'

/** A copy of a foreign error that holds nothing but its name, its code and its message with the key blotted out. */
const copied = (error: unknown, redact: (text: string) => string, depth = 3): Error | undefined => {
  if (!(error instanceof Error) || depth === 0) return undefined
  const words = (value: unknown) => (typeof value === 'string' ? redact(value) : '')
  const cause = copied(error.cause, redact, depth - 1)
  const copy = new Error(words(error.message), cause && { cause })
  copy.name = words(error.name)
  copy.stack = words(error.stack)
  return 'code' in error && typeof error.code === 'string' ? Object.assign(copy, { code: words(error.code) }) : copy
}

/** Innermost reason of a failure: runtimes wrap "connection refused" in one to three layers, and differently. */
const reasonOf = (error: Error): string => (error.cause instanceof Error ? reasonOf(error.cause) : error.message)

/**
 * Makes the error for a `fetch` or a body that failed. Node, Bun, Deno, workerd and browsers report a refused or
 * broken connection in five shapes; what comes here is a failed connection by where it was caught, not by its shape.
 */
export const connectionFailed = (what: string, error: unknown, redact: (text: string) => string): ConnectionError => {
  const cause = copied(error, redact)
  const reason = (cause && inOneLine(reasonOf(cause)).replace(/[:.]+$/, '')) || 'the connection failed'
  return new ConnectionError(`${what}: ${reason}. Check baseUrl and the network, or try again.`, cause && { cause })
}
