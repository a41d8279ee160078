import { timersDieWithRequests } from './clock.ts'
import type { ThrottleOptions } from './options.ts'
import { createPollingThrottle } from './polling.ts'
import { createQueuingThrottle } from './queuing.ts'
import type { Throttle } from './throttle.ts'

/** The kind of throttle that this runtime needs. */
export const createLocalThrottle = timersDieWithRequests ? createPollingThrottle : createQueuingThrottle

/**
 * Makes a throttle that lets at most ten requests arrive at the service in any second, however the network delays
 * them: a slot is held until a second after the response. Give it to several clients to make them share the rate;
 * clients of one origin and key do so by themselves. Spec: Limits.
 *
 * @throws {ConfigurationError} An option is unknown or wrong.
 */
export const createThrottle = (options?: ThrottleOptions): Throttle => createLocalThrottle(options)
