import { notify } from '../callback.ts'

/** Receives log lines: `console` fits, and so do the loggers of most libraries. */
export interface Logger {
  /** Every request that succeeded. */
  debug(message: string, fields?: Record<string, unknown>): void
  /** Repeated 429 responses. */
  info(message: string, fields?: Record<string, unknown>): void
  /** Retries, and responses that violate the contract while `validation` is `'warn'`. */
  warn(message: string, fields?: Record<string, unknown>): void
  /** Unused so far. */
  error(message: string, fields?: Record<string, unknown>): void
}

/** @internal */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const
/** The least severe lines that are logged. */
export type LogLevel = (typeof logLevels)[number]

/** A logger with its level applied. It never fails a call, even if the logger throws or rejects. */
export type Log = (level: Exclude<LogLevel, 'off'>, message: string, fields?: Record<string, unknown>) => void

export const createLog = (logger: Logger, threshold: LogLevel): Log => {
  const lines = logLevels.indexOf(threshold)
  return (level, message, fields) => {
    if (logLevels.indexOf(level) > lines) return
    notify(() => logger[level](`guild-ledger: ${message}`, ...(fields ? [fields] : [])))
  }
}
