import { GuildLedgerError } from '../errors/index.ts'
import type { Log, LogFields } from './log.ts'
import type { RequestTrace } from './trace.ts'

/** What a log line says of a call, besides its message. */
export const fieldsOf = (
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
