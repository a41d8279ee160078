import { notify } from '../callback.ts'

/** What a log line is about, for filters and dashboards. A line has those that apply to it. */
export interface LogFields {
  /** Identifies the call: the same in all its lines, in `page.response`, on errors and on the tracing channel. */
  readonly callId?: string
  /** HTTP method. */
  readonly method?: 'GET'
  /** Path with the names of its parameters, such as `/guild/ledger/{platformId}/transactions`: fit for a label. */
  readonly endpoint?: string
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

/**
 * A logger with its level applied. It never fails a call, even if the logger throws or rejects. A line is left out below
 * the log level `from`, which is that of the line unless given; nothing of it is made then.
 */
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
