import { validate } from '@guild-ledger/validation'
import { notify } from '../callback.ts'
import { invalidOption } from '../errors/index.ts'
import { sharedThrottle, throttleChecks, type Pace, type PaceChange } from '../throttle/index.ts'
import type { TransportSettings } from '../transport/index.ts'
import type { GuildLedgerOptions } from './client-options.ts'

/** What a client's throttle needs to know about it. */
export type ThrottleClient = Pick<TransportSettings, 'keys' | 'baseUrl' | 'log'>

/** A 429 this early in the life of a process comes from requests of the one before. */
const startMs = 2000

const paceMessages: Record<PaceChange['reason'], (pace: Pace) => string> = {
  'rate-limited': (pace) =>
    `The service limits the rate although this client kept the limit: the pace is now '${pace}'. If other programs use ` +
    'the key, share one throttle through Redis, or lower requestsPerSecond in all of them.',
  quiet: (pace) => `The service has limited nothing for a while: the pace is '${pace}'.`,
  reset: (pace) => `The throttle was reset: the pace is '${pace}'.`,
}

/** The throttle of a client: its own, the one that the process shares, or none. */
export const clientThrottle = (
  given: GuildLedgerOptions['throttle'] = {},
  { keys, baseUrl, log }: ThrottleClient,
): TransportSettings['throttle'] => {
  if (given === false) return undefined
  if ('acquire' in given) return given
  const options = validate(throttleChecks, given, invalidOption)
  const onPaceChange = (change: PaceChange): void => {
    const isExpected = change.reason !== 'rate-limited' || performance.now() < startMs
    log(isExpected ? 'info' : 'warn', 'pace_changed', paceMessages[change.reason](change.to), () => {
      return { pace: change.to, reason: change.reason }
    })
    notify(options.onPaceChange, change)
  }
  return sharedThrottle(new URL(baseUrl).origin, () => keys.current() ?? '', { ...options, onPaceChange })
}
