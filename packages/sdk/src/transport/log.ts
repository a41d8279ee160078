import { notify } from '../callback.ts'
import { timeNow } from '../throttle/index.ts'
import {
  ApiError,
  ConnectionError,
  GuildLedgerError,
  RateLimitError,
  TimeoutError,
  type RequestDetails,
} from '../errors/index.ts'
import { reasonOf } from './foreign-error.ts'
import type { RequestTrace } from './trace.ts'

/** What a log line reports: the same in every version, whatever its text. */
export type LogEvent =
  /** A call succeeded (`debug`), failed for good (`error`), or was ended by the caller (`debug`). */
  | 'call_succeeded'
  | 'call_failed'
  | 'call_ended'
  /** A request is sent again. */
  | 'retry'
  /** The service rejected the key, another key is used from now on, or the key expires soon. */
  | 'key_rejected'
  | 'key_replaced'
  | 'key_expires'
  /** The throttle became more careful, or less. */
  | 'pace_changed'
  /** A call waited for the throttle for 5 seconds or more, until it got its slot or gave up. Once a minute at most. */
  | 'long_wait'
  /** A response violates the contract, has a number with too many digits, or announces a change of the service. */
  | 'contract_violated'
  | 'digits_lost'
  | 'change_announced'
  /** A watch met a transaction dated ahead, or begins later than the service's own time. */
  | 'transaction_ahead'
  | 'clock_ahead'
  /** An environment variable is not understood. */
  | 'invalid_environment'

/** What a log line is about, for filters and dashboards. Each line has an `event`, and those that apply to it. */
export interface LogFields extends Partial<Pick<RequestDetails, 'callId' | 'method' | 'endpoint'>> {
  /** What the line reports. */
  readonly event: LogEvent
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
  /** The service's own message of an error response. */
  readonly reason?: string
  /** When the key expires, in ISO 8601. */
  readonly expiresAt?: string
  /** Days until the key expires, rounded up; 0 or less if it has expired. */
  readonly daysLeft?: number
  /** The pace of the throttle from now on. */
  readonly pace?: string
  /** Figures of the throttle. */
  readonly stats?: object
}

/**
 * Receives log lines: a text and its fields. `console` fits, and gets no fields. pino and others take the fields first:
 * `info: (text, fields) => pino.info(fields, text)`, and so on for each level.
 */
export interface Logger {
  /** Every call that succeeded, found nothing or was aborted. */
  debug(message: string, fields?: LogFields): void
  /** Repeated rate limits, and the pace of the throttle. */
  info(message: string, fields?: LogFields): void
  /**
   * Retries, long waits, an API key that is rejected, replaced or expires soon, a transaction dated ahead that a watch
   * meets, and what `validation: 'warn'` finds.
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
  event: LogEvent,
  message: string | (() => string),
  fields?: () => Omit<LogFields, 'event'>,
  from?: LogLevel,
) => void

export const createLog = (logger: Logger, threshold: LogLevel): Log => {
  const lines = logLevels.indexOf(threshold)
  const isConsole = logger === globalThis.console
  return (level, event, message, fields, from = level) => {
    if (logLevels.indexOf(from) > lines) return
    const line = `guild-ledger: ${typeof message === 'string' ? message : message()}`
    notify(() => logger[level](line, ...(isConsole ? [] : [{ event, ...fields?.() }])))
  }
}

const fieldsOf = (
  { callId, method, endpoint, status, attempts: attempt }: Partial<RequestTrace>,
  error: unknown,
  times: Pick<LogFields, 'waitMs' | 'durationMs'>,
): Omit<LogFields, 'event'> => {
  const code = GuildLedgerError.is(error) ? error.code : undefined
  const fields = Object.entries({ callId, method, endpoint, status, code, attempt, ...times })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** Logs how a call ended. One that failed is an `error` from level `info` on: the caller gets its error anyway. */
export const logEnd = (log: Log, label: string, trace: RequestTrace, startedAt: number, error?: unknown): void => {
  const fields = () =>
    fieldsOf(trace, error, {
      waitMs: Math.round(trace.queuedMs),
      durationMs: Math.round(timeNow() - startedAt),
    })
  if (error === undefined) {
    return log(
      'debug',
      'call_succeeded',
      () => `${label} succeeded with ${trace.status} (attempt ${trace.attempts})`,
      fields,
    )
  }
  if (!GuildLedgerError.is(error))
    return log('debug', 'call_ended', `${label} was ended by the caller, or by middleware`, fields)
  const isFailure = error.retryable || error.actor !== 'nobody' // else the service found nothing
  log(isFailure ? 'error' : 'debug', 'call_failed', error.message, fields, isFailure ? 'info' : 'debug')
}

/** What failed, in a few words for the log: a status, the reason of a failed connection, or a code. */
const summarize = (error: unknown): string => {
  if (error instanceof ApiError) return String(error.status)
  if (error instanceof TimeoutError) return 'a timeout'
  if (error instanceof ConnectionError) return `a connection error (${reasonOf(error)})`
  return GuildLedgerError.is(error) ? error.code : 'an error'
}

/** Logs that a request is sent again. After a rate limit the throttle warns, once for each pace. */
export const logRetry = (
  log: Log,
  label: string,
  trace: Partial<RequestTrace>,
  error: unknown,
  waitMs: number,
  progress: string,
  isRateLimit = error instanceof RateLimitError,
): void => {
  const rounded = Math.round(waitMs)
  const message = `${label} failed with ${summarize(error)}, retrying in ${rounded} ms (${progress})`
  log(isRateLimit ? 'info' : 'warn', 'retry', message, () => fieldsOf(trace, error, { waitMs: rounded }))
}

/** Logs that a call failed, after its retries, and is made again: for a page, else for a watch. */
export const createCallRetryLog =
  (log: Log, endpoint: string) =>
  (error: Error & Partial<RequestTrace & GuildLedgerError>, { retryInMs }: { readonly retryInMs: number }): void => {
    const progress = error.page === undefined ? 'watch' : `page ${error.page}`
    logRetry(log, `GET ${endpoint}`, error, error, retryInMs, progress)
  }
