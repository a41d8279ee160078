import { hashOf } from '../hash.ts'
import { timersDieWithRequests } from './clock.ts'
import { createQueuingThrottle, type LocalThrottle } from './in-process.ts'
import { settingsOf, type ThrottleOptions } from './options.ts'
import { createPollingThrottle } from './polling.ts'
import type { Throttle } from './types.ts'

/** The kind of throttle that this runtime needs. */
const createLocalThrottle = timersDieWithRequests ? createPollingThrottle : createQueuingThrottle

/**
 * Makes a throttle that lets at most ten requests arrive at the service in any second, however the network delays
 * them: a slot is held until a second after the response. Give it to several clients to make them share the rate;
 * clients of one origin and key do so by themselves. Spec: Limits.
 *
 * @throws {ConfigurationError} An option is unknown or wrong.
 */
export const createThrottle = (options?: ThrottleOptions): Throttle => createLocalThrottle(options)

/** All throttles that are busy, by origin and key; shared by all copies of this package in one process. */
type Registry = Map<string, LocalThrottle>

const place = Symbol.for('@guild-ledger/sdk/throttles/1')

/** Forgets throttles that are idle: a new one would do the same. Looks at two, however many there are. */
const forgetIdle = (registry: Registry): void => {
  const entries = registry.entries()
  for (const { value } of [entries.next(), entries.next()]) {
    if (!value) return
    const [name, throttle] = value
    registry.delete(name)
    if (!throttle.isIdle()) registry.set(name, throttle) // as the last
  }
}

/**
 * The throttle of all clients in this process that send to `origin` with the same key. It is as strict as the strictest of
 * those that have used it since it was last idle. A client whose key is replaced takes its throttle along, unless another
 * one uses the new key already; so do its calls that wait.
 */
export const sharedThrottle = (
  origin: string,
  apiKey: () => string,
  options: ThrottleOptions = {},
): Pick<Throttle, 'acquire' | 'estimateMs' | 'stats'> => {
  const { clock, ...settings } = settingsOf(options)
  const { onPaceChange } = options
  const registry = ((globalThis as { [place]?: Registry })[place] ??= new Map())
  let name = ''

  const current = (): LocalThrottle => {
    const previous = registry.get(name)
    name = `${origin} ${hashOf(apiKey())}` // of two keys with the same hash, no more happens than that they share a throttle
    const known = registry.get(name)
    if (known) return known
    forgetIdle(registry)
    const throttle = previous ?? createLocalThrottle({ clock })
    registry.set(name, throttle)
    return throttle
  }

  return {
    async acquire(how) {
      for (;;) {
        const throttle = current()
        const permit = await throttle.acquire({ ...how, settings, onPaceChange })
        if (throttle === current()) return permit
        permit.release({ kind: 'notSent' })
      }
    },
    estimateMs: (how) => current().estimateMs(how),
    get stats() {
      const throttle = current()
      return throttle.isIdle() ? createLocalThrottle(options).stats : throttle.stats
    },
  }
}
