import { notify } from '../callback.ts'
import { systemClock, unref } from './clock.ts'
import { createLocalThrottle, type LocalThrottle } from './in-process.ts'
import { settingsOf, strictest, type ThrottleSettings, type ThrottleOptions } from './options.ts'
import type { Throttle } from './throttle.ts'

type Callbacks = Pick<ThrottleOptions, 'onPaceChange' | 'onLongWait'>

/** What stands for a client in the registry: an object without content, held by the client alone. */
export type ClientToken = object

interface SharedEntry {
  readonly throttle: LocalThrottle
  /** What each client asks for, as long as it lives. */
  readonly clients: Map<WeakRef<ClientToken>, ThrottleSettings>
}

/** What all copies of this package in one process share: two installs of it must not send ten requests each. */
interface Registry {
  readonly entries: Map<string, SharedEntry>
  /** Notices clients that are gone. They are held weakly, and so are their callbacks, which may hold them. */
  readonly gone: FinalizationRegistry<{ readonly name: string; readonly client: WeakRef<ClientToken> }>
  readonly callbacks: WeakMap<ClientToken, Callbacks>
}

const place = Symbol.for('@guild-ledger/sdk/throttles/1')

/** How long to leave a throttle alone that lost its last client while slots were held. */
const checkAgainMs = 5000

/** Forgets a throttle once no client is left that could use it and all its slots are free again. */
const forgetIfIdle = (entries: Registry['entries'], name: string): void => {
  const entry = entries.get(name)
  if (!entry || entry.clients.size > 0) return
  const { held, pausedForMs } = entry.throttle.stats
  if (held === 0 && pausedForMs === 0) {
    for (const [other, { throttle }] of entries) if (throttle === entry.throttle) entries.delete(other)
  } else unref(systemClock.setTimeout(() => forgetIfIdle(entries, name), checkAgainMs))
}

const createRegistry = (): Registry => {
  const entries: Registry['entries'] = new Map()
  const gone: Registry['gone'] = new FinalizationRegistry(({ name, client }) => {
    const entry = entries.get(name)
    if (!entry?.clients.delete(client)) return
    if (entry.clients.size > 0) entry.throttle.configure(strictest([...entry.clients.values()]))
    else forgetIfIdle(entries, name)
  })
  return { entries, gone, callbacks: new WeakMap() }
}

const registry = (): Registry => {
  const shelf = globalThis as { [place]?: Registry }
  if (!shelf[place]) Object.defineProperty(shelf, place, { value: createRegistry() })
  return shelf[place] ?? createRegistry()
}

/** A throttle that notifies all its clients, and holds none of them. */
const createEntry = (options: ThrottleOptions, callbacks: Registry['callbacks']): SharedEntry => {
  const clients: SharedEntry['clients'] = new Map()
  const forEachClient = (call: (callbacks: Callbacks) => void): void => {
    for (const ref of clients.keys()) {
      const client = ref.deref()
      const own = client && callbacks.get(client)
      if (own) call(own)
    }
  }
  const throttle = createLocalThrottle({
    ...options,
    onPaceChange: (change) => forEachClient(({ onPaceChange }) => notify(onPaceChange, change)),
    onLongWait: (wait) => forEachClient(({ onLongWait }) => notify(onLongWait, wait)),
  })
  return { throttle, clients }
}

const nameOf = (origin: string, apiKey: string) => `${origin} ${fingerprint(apiKey)}`

/** A key was replaced by another one: clients with the new key share the throttle of those that had the old one. */
export const shareWithKey = (origin: string, from: string, to: string): void => {
  const { entries } = registry()
  const entry = entries.get(nameOf(origin, from))
  const name = nameOf(origin, to)
  if (entry && !entries.has(name)) entries.set(name, entry)
}

/**
 * The throttle of all clients in this process that send to `origin` with `apiKey`, as strict as the strictest client
 * that is still alive. It lives as long as one of them: `client` is held weakly.
 */
export const sharedThrottle = (
  client: ClientToken,
  origin: string,
  apiKey: string,
  options: ThrottleOptions = {},
): Throttle => {
  const { clock: _clock, ...settings } = settingsOf(options)
  // Runtimes that cannot watch objects cannot share either without keeping every throttle until the process ends.
  if (typeof FinalizationRegistry === 'undefined') return createLocalThrottle(options)
  const { entries, gone, callbacks } = registry()
  const name = nameOf(origin, apiKey)
  const entry = entries.get(name) ?? createEntry(options, callbacks)
  entries.set(name, entry)
  const ref = new WeakRef(client)
  entry.clients.set(ref, settings)
  entry.throttle.configure(strictest([...entry.clients.values()]))
  callbacks.set(client, { onPaceChange: options.onPaceChange, onLongWait: options.onLongWait })
  gone.register(client, { name, client: ref })
  return entry.throttle
}

/**
 * 64 bits that tell keys apart without naming them, computed synchronously in every runtime (`crypto.subtle` is
 * asynchronous). Two keys with the same bits would share a throttle, no more.
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
