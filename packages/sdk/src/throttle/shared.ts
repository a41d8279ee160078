import { systemClock, unref } from './clock.ts'
import { createLocalThrottle, type LocalThrottle } from './in-process.ts'
import { settingsOf, type ThrottleOptions } from './options.ts'
import type { Throttle } from './throttle.ts'

interface Entry {
  readonly throttle: LocalThrottle
  clients: number
}

/** What the copies of this package in one process share: two installs of it must not send ten requests each. */
interface Registry {
  readonly entries: Map<string, Entry>
  readonly clients: FinalizationRegistry<string> | undefined
}

const place = Symbol.for('@guild-ledger/sdk/throttles/1')

/** How long to leave a throttle alone that lost its last client while slots were held. */
const lookAgainMs = 5000

/** Forgets a throttle once nobody is left who could use it and all its slots are free again. */
const forgetIfIdle = (entries: Registry['entries'], name: string): void => {
  const entry = entries.get(name)
  if (!entry || entry.clients > 0) return
  const { held, pausedForMs } = entry.throttle.stats
  if (held === 0 && pausedForMs === 0) return void entries.delete(name)
  unref(systemClock.setTimeout(() => forgetIfIdle(entries, name), lookAgainMs))
}

const createRegistry = (): Registry => {
  const entries: Registry['entries'] = new Map()
  if (typeof FinalizationRegistry === 'undefined') return { entries, clients: undefined }
  const clients = new FinalizationRegistry<string>((name) => {
    const entry = entries.get(name)
    if (entry) entry.clients--
    forgetIfIdle(entries, name)
  })
  return { entries, clients }
}

const registry = (): Registry => {
  const shelf = globalThis as { [place]?: Registry }
  if (!shelf[place]) Object.defineProperty(shelf, place, { value: createRegistry() })
  return shelf[place] ?? createRegistry()
}

/**
 * The throttle of all clients in this process that talk to `origin` with `apiKey`, as strict as the strictest of them
 * asks for. It lives as long as one of them: `client` is watched, not kept, so `options.onStepDown` must not hold it.
 */
export const sharedThrottle = (
  client: object,
  origin: string,
  apiKey: string,
  options: ThrottleOptions = {},
): Throttle => {
  const { entries, clients } = registry()
  const name = `${origin} ${fingerprint(apiKey)}`
  const { clock: _clock, ...settings } = settingsOf(options)
  const known = entries.get(name)
  const entry = known ?? { throttle: createLocalThrottle(options), clients: 0 }
  if (known) known.throttle.tighten(settings)
  else entries.set(name, entry)
  entry.clients++
  clients?.register(client, name)
  return entry.throttle
}

/** How many throttles are kept for sharing. */
export const sharedThrottleCount = (): number => registry().entries.size

/**
 * 64 bits that tell keys apart without naming them, worked out at once and in every runtime (`crypto.subtle` makes one
 * wait). Two keys with the same bits would share a throttle, no more.
 */
const fingerprint = (text: string): string => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (a >>> 0).toString(36) + (b >>> 0).toString(36)
}
