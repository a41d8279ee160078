import { notify } from '../../callback.ts'

/** Warns where there is no `onWarning`. */
const emitWarning = (message: string): void => globalThis.process?.emitWarning?.(message, 'GuildLedgerWarning')

/** Warns where Redis may evict the leases: then all processes wait until those in flight are known again, each time. */
export const warnOfEviction = (policy: string, onWarning: (message: string) => void = emitWarning): void => {
  if (policy === '' || policy === 'noeviction') return
  notify(() =>
    onWarning(
      `The throttle's Redis may evict its keys (maxmemory-policy ${policy}). Requests stop for 2.5 s each time it does: ` +
        'use a Redis with maxmemory-policy noeviction.',
    ),
  )
}
