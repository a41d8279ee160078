import { validate } from '@guild-ledger/validation'
import { notify } from '../callback.ts'
import { invalidOption } from '../errors/index.ts'
import {
  createThrottle,
  sharedThrottle,
  throttleChecks,
  type Pace,
  type PaceChange,
  type PreviousThrottle,
  type Throttle,
  type ThrottleOptions,
  type ThrottleStats,
} from '../throttle/index.ts'
import type { TransportSettings } from '../transport/index.ts'
import type { GuildLedgerOptions } from './client-options.ts'

/** What a client's throttle needs to know about it. */
export type ThrottleClient = Pick<TransportSettings, 'keys' | 'baseUrl' | 'log' | 'throttleToken'>

const paceMessages: Record<PaceChange['reason'], (pace: Pace) => string> = {
  'rate-limited': (pace) =>
    `The service responded with 429 although this client kept the limit: the pace is now '${pace}'. Either another ` +
    'program uses the key (share one throttle through Redis, or set requestsPerSecond lower in both), or this program ' +
    'was restarted within a second of its last requests.',
  quiet: (pace) => `No 429 for a while: the pace is '${pace}' again.`,
  reset: (pace) => `The throttle was reset: the pace is '${pace}'.`,
}

const longWaitMessage = ({ waitedMs, stats }: { waitedMs: number; stats: ThrottleStats }): string =>
  `A call has waited ${Math.round(waitedMs / 1000)} s for the throttle: ${stats.held} slots held (${stats.inFlight} in ` +
  `flight, ${stats.givenUp} given up), ${stats.waiting} calls waiting, pace '${stats.pace}'` +
  `${stats.pausedForMs > 0 ? `, paused for ${Math.ceil(stats.pausedForMs / 1000)} s` : ''}. ` +
  'Start fewer calls at once, or set timeoutMs to give up sooner.'

/** The throttle of the key that the function given as `apiKey` returned last. A call that waits moves along. */
const throttleOfKey = (
  keys: TransportSettings['keys'],
  idle: ThrottleStats,
  share: (previous?: PreviousThrottle) => Throttle,
): Throttle => {
  let last: PreviousThrottle | undefined
  const latest = (): Throttle => {
    const { current: apiKey = '' } = keys
    if (last?.apiKey !== apiKey) last = { throttle: share(last), apiKey }
    return last.throttle
  }
  return {
    async acquire(options) {
      for (;;) {
        const throttle = latest()
        const permit = await throttle.acquire(options)
        if (throttle === latest()) return permit
        permit.release({ kind: 'notSent' })
      }
    },
    pause: (ms) => latest().pause(ms),
    reset: () => last?.throttle.reset(),
    get stats() {
      return last?.throttle.stats ?? idle
    },
  }
}

/** The throttle of a client: its own, the one that the process shares, or none. */
export const clientThrottle = (
  given: GuildLedgerOptions['throttle'] = {},
  { keys, baseUrl, log, throttleToken }: ThrottleClient,
): Throttle | undefined => {
  if (given === false) return undefined
  if ('acquire' in given) return given
  const options = validate(throttleChecks, given, invalidOption)
  const onPaceChange: ThrottleOptions['onPaceChange'] = (change) => {
    log(change.reason === 'rate-limited' ? 'warn' : 'info', paceMessages[change.reason](change.to))
    notify(options.onPaceChange, change)
  }
  const onLongWait: ThrottleOptions['onLongWait'] = (wait) => {
    log('warn', longWaitMessage(wait), () => ({ waitMs: Math.round(wait.waitedMs) }))
    notify(options.onLongWait, wait)
  }
  const { origin } = new URL(baseUrl)
  const share = (previous?: PreviousThrottle) =>
    sharedThrottle(throttleToken, origin, keys.current ?? '', { ...options, onPaceChange, onLongWait }, previous)
  return keys.isFixed ? share() : throttleOfKey(keys, createThrottle(options).stats, share)
}
