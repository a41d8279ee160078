import { systemClock, unref } from './clock.ts'
import { createLocalThrottle, type LocalThrottle } from './in-process.ts'
import { settingsOf, type ThrottleOptions } from './options.ts'
import type { Throttle } from './throttle.ts'

interface Entry {
  readonly throttle: LocalThrottle
  readonly clients: Set<WeakRef<object>>
}

/** What the copies of this package in one process share: two installs of it must not send ten requests each. */
interface Registry {
  readonly entries: Map<string, Entry>
  /** Watches clients, which are kept weakly everywhere: what they want to be told of may hold them. */
  readonly gone: FinalizationRegistry<{ readonly name: string; readonly client: WeakRef<object> }>
  readonly told: WeakMap<object, ThrottleOptions['onStepDown']>
}

const place = Symbol.for('@guild-ledger/sdk/throttles/1')

/** How long to leave a throttle alone that lost its last client while slots were held. */
const lookAgainMs = 5000

/** Forgets a throttle once nobody is left who could use it and all its slots are free again. */
const forgetIfIdle = (entries: Registry['entries'], name: string): void => {
  const entry = entries.get(name)
  if (!entry || entry.clients.size > 0) return
  const { held, pausedForMs } = entry.throttle.stats
  if (held === 0 && pausedForMs === 0) entries.delete(name)
  else unref(systemClock.setTimeout(() => forgetIfIdle(entries, name), lookAgainMs))
}

const createRegistry = (): Registry => {
  const entries: Registry['entries'] = new Map()
  const gone: Registry['gone'] = new FinalizationRegistry(({ name, client }) => {
    entries.get(name)?.clients.delete(client)
    forgetIfIdle(entries, name)
  })
  return { entries, gone, told: new WeakMap() }
}

const registry = (): Registry => {
  const shelf = globalThis as { [place]?: Registry }
  if (!shelf[place]) Object.defineProperty(shelf, place, { value: createRegistry() })
  return shelf[place] ?? createRegistry()
}

/** A throttle that tells all its clients of a step down, and holds none of them. */
const createEntry = (options: ThrottleOptions, told: Registry['told']): Entry => {
  const clients: Entry['clients'] = new Set()
  const onStepDown: ThrottleOptions['onStepDown'] = (step) => {
    for (const ref of clients) {
      const client = ref.deref()
      if (client) told.get(client)?.(step)
    }
  }
  return { throttle: createLocalThrottle({ ...options, onStepDown }), clients }
}

/**
 * The throttle of all clients in this process that talk to `origin` with `apiKey`, as strict as the strictest of them
 * asks for. It lives as long as one of them: `client` is watched, not kept.
 */
export const sharedThrottle = (
  client: object,
  origin: string,
  apiKey: string,
  options: ThrottleOptions = {},
): Throttle => {
  const { clock: _clock, ...settings } = settingsOf(options)
  // Runtimes that cannot watch objects cannot share either without keeping every throttle for ever.
  if (typeof FinalizationRegistry === 'undefined') return createLocalThrottle(options)
  const { entries, gone, told } = registry()
  const name = `${origin} ${fingerprint(apiKey)}`
  const entry = entries.get(name) ?? createEntry(options, told)
  entries.set(name, entry)
  entry.throttle.tighten(settings)
  const ref = new WeakRef(client)
  entry.clients.add(ref)
  told.set(client, options.onStepDown)
  gone.register(client, { name, client: ref })
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
