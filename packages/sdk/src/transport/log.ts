/** Where log lines go: `console` fits, and so do the loggers of most libraries. */
export interface Logger {
  /** Every attempt. */
  debug(message: string, fields?: Record<string, unknown>): void
  /** What may be good to know. */
  info(message: string, fields?: Record<string, unknown>): void
  /** What somebody should look at. */
  warn(message: string, fields?: Record<string, unknown>): void
  /** What failed. */
  error(message: string, fields?: Record<string, unknown>): void
}

/** @internal */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const
/** The least serious lines that are logged; `debug` tells every attempt. */
export type LogLevel = (typeof logLevels)[number]

/** A logger with its level applied. A logger that throws or rejects is not heard: logging never fails a call. */
export type Log = (level: Exclude<LogLevel, 'off'>, message: string, fields?: Record<string, unknown>) => void

export const createLog = (logger: Logger, threshold: LogLevel): Log => {
  const lines = logLevels.indexOf(threshold)
  return (level, message, fields) => {
    if (logLevels.indexOf(level) > lines) return
    try {
      const written: unknown = logger[level](`guild-ledger: ${message}`, ...(fields ? [fields] : []))
      if (written instanceof Promise) written.catch(() => {})
    } catch {}
  }
}
