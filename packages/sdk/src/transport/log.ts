import { notify } from '../callback.ts'
import {
  ApiError,
  ConnectionError,
  GuildLedgerError,
  RateLimitError,
  TimeoutError,
  type RequestDetails,
} from '../errors/index.ts'
import { inOneLine, reasonOf } from './to-error.ts'
import type { RequestTrace } from './trace.ts'

/** What a log line is about, for filters and dashboards. A line has those that apply to it. */
export interface LogFields extends Partial<Pick<RequestDetails, 'callId' | 'method' | 'endpoint'>> {
  /** Status of the last response. */
  readonly status?: number
  /** `code` of the error. */
  readonly code?: string
  /** Number of the last attempt that was sent, from 1; 0 if nothing was sent. */
  readonly attempt?: number
  /** Milliseconds: until the retry, or of the wait for the throttle. */
  readonly waitMs?: number
  /** Milliseconds from the call to its end. */
  readonly durationMs?: number
}

/** Receives log lines: `console` fits, and so do the loggers of most libraries. `console` gets no fields. */
export interface Logger {
  /** Every call that succeeded, found nothing or was aborted. */
  debug(message: string, fields?: LogFields): void
  /** Repeated 429 responses, a new key, the pace of the throttle. */
  info(message: string, fields?: LogFields): void
  /**
   * Retries, long waits, an API key that is rejected or expires soon, a transaction dated ahead that a watch meets, and
   * what `validation: 'warn'` finds.
   */
  warn(message: string, fields?: LogFields): void
  /** Calls that fail for good: only with `logLevel` `'info'` or `'debug'`, because the caller gets the error as well. */
  error(message: string, fields?: LogFields): void
}

/** @internal */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const
/** The least severe lines that are logged. */
export type LogLevel = (typeof logLevels)[number]

/** A logger with its level applied, which never fails a call. Below the level `from` nothing of a line is made. */
export type Log = (
  level: Exclude<LogLevel, 'off'>,
  message: string | (() => string),
  fields?: () => LogFields,
  from?: LogLevel,
) => void

export const createLog = (logger: Logger, threshold: LogLevel): Log => {
  const lines = logLevels.indexOf(threshold)
  const isConsole = logger === globalThis.console
  return (level, message, fields, from = level) => {
    if (logLevels.indexOf(from) > lines) return
    const line = `guild-ledger: ${typeof message === 'string' ? message : message()}`
    notify(() => logger[level](line, ...(fields && !isConsole ? [fields()] : [])))
  }
}

const fieldsOf = (
  { callId, method, endpoint, status, attempts: attempt }: Partial<RequestTrace>,
  error: unknown,
  times: Pick<LogFields, 'waitMs' | 'durationMs'>,
): LogFields => {
  const code = GuildLedgerError.is(error) ? error.code : undefined
  const fields = Object.entries({ callId, method, endpoint, status, code, attempt, ...times })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** Logs how a call ended. One that failed is an `error` from level `info` on: the caller gets its error anyway. */
export const logEnd = (log: Log, label: string, trace: RequestTrace, startedAt: number, error?: unknown): void => {
  const fields = () =>
    fieldsOf(trace, error, {
      waitMs: Math.round(trace.queuedMs),
      durationMs: Math.round(performance.now() - startedAt),
    })
  if (error === undefined) {
    return log('debug', () => `${label} succeeded with ${trace.status} (attempt ${trace.attempts})`, fields)
  }
  if (!GuildLedgerError.is(error)) return log('debug', `${label} was ended by the caller, or by middleware`, fields)
  const isFailure = error.retryable || error.actor !== 'nobody' // else the service found nothing
  log(isFailure ? 'error' : 'debug', error.message, fields, isFailure ? 'info' : 'debug')
}

/** What failed, in a few words for the log: a status, the reason of a failed connection, or a code. */
const summarize = (error: unknown): string => {
  if (error instanceof ApiError) return String(error.status)
  if (error instanceof TimeoutError) return 'a timeout'
  if (error instanceof ConnectionError) return `a connection error (${reasonOf(error)})`
  return GuildLedgerError.is(error) ? error.code : 'an error'
}

/** Logs that a request is sent again. After a 429 the throttle warns, once for each pace. */
export const createRetryLog =
  (log: Log) =>
  (label: string, trace: Partial<RequestTrace>, error: unknown, waitMs: number, progress: string): void => {
    const rounded = Math.round(waitMs)
    log(
      error instanceof RateLimitError ? 'info' : 'warn',
      `${label} failed with ${summarize(error)}, retrying in ${rounded} ms (${progress})`,
      () => fieldsOf(trace, error, { waitMs: rounded }),
    )
  }

/** A JSON number with more digits than a double is sure to keep. */
const longNumber = /[:[,]\s*(-?\d[\d.]{15,})/g
const manyDigits = new RegExp('[\\d.]'.repeat(16)) // V8 skips text for this, but not for `[\d.]{16}`
const hasManyDigits = (number: string): boolean => number.replace(/^[-0.]+|\./g, '').length > 15

let isChangeKnown = false

/** Warns once of numbers that lose digits, and once in a process that the service announces a change of its interface. */
export const createResponseWarnings = (log: Log): ((headers: Headers, text: string, label: string) => void) => {
  let isNumberKnown = false
  return (headers, text, label) => {
    const changes = isChangeKnown ? [] : ['deprecation', 'sunset'].filter((name) => headers.has(name))
    if (changes.length > 0) {
      isChangeKnown = true
      const announced = changes.map((name) => `${name}: ${inOneLine(headers.get(name) ?? '')}`).join(', ')
      log('warn', `The service announces a change (${announced}): ask its operator.`)
    }
    if (isNumberKnown || !manyDigits.test(text)) return
    const number = [...text.matchAll(longNumber)].find(([, one = '']) => hasManyDigits(one))?.[1]
    if (number === undefined) return
    isNumberKnown = true
    log('warn', `${label}: the number ${number.slice(0, 40)} has more than 15 digits: JavaScript may lose some.`)
  }
}
