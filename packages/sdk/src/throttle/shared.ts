import { notify } from '../callback.ts'
import { systemClock, timersDieWithRequests, unref } from './clock.ts'
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
  readonly gone: FinalizationRegistry<{ readonly entry: SharedEntry; readonly client: WeakRef<ClientToken> }>
  readonly callbacks: WeakMap<ClientToken, Callbacks>
}

const place = Symbol.for('@guild-ledger/sdk/throttles/1')

/** How long to leave a throttle alone that lost its last client while slots were held. */
const checkAgainMs = 5000

/** How many keys of one throttle are known: one whose key changes again and again forgets the first ones. */
const maxNames = 8

/** Removes the oldest names of a throttle until `most` are left. */
const forgetNames = (entries: Registry['entries'], entry: SharedEntry, most: number): void => {
  const names: string[] = []
  for (const [name, other] of entries) if (other === entry) names.push(name)
  for (const name of names.slice(0, Math.max(0, names.length - most))) entries.delete(name)
}

/** Forgets a throttle once no client is left that could use it and all its slots are free again. */
const forgetIfIdle = (entries: Registry['entries'], entry: SharedEntry): void => {
  if (entry.clients.size > 0) return
  const { held, pausedForMs } = entry.throttle.stats
  if (held === 0 && pausedForMs === 0) forgetNames(entries, entry, 0)
  else if (!timersDieWithRequests) unref(systemClock.setTimeout(() => forgetIfIdle(entries, entry), checkAgainMs))
}

const configure = ({ throttle, clients }: SharedEntry): void => throttle.configure(strictest([...clients.values()]))

const leave = (entries: Registry['entries'], entry: SharedEntry, client: WeakRef<ClientToken>): void => {
  if (!entry.clients.delete(client)) return
  if (entry.clients.size > 0) configure(entry)
  else forgetIfIdle(entries, entry)
}

const createRegistry = (): Registry => {
  const entries: Registry['entries'] = new Map()
  const gone: Registry['gone'] = new FinalizationRegistry(({ entry, client }) => leave(entries, entry, client))
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

/** One reference for each client, so that it is in a throttle once, whatever keys lead there. */
const refs = new WeakMap<ClientToken, WeakRef<ClientToken>>()

/** What a client used before its key was replaced. */
export interface PreviousThrottle {
  readonly throttle: Throttle
  readonly apiKey: string
}

/**
 * The throttle of all clients in this process that send to `origin` with `apiKey`, as strict as the strictest client
 * that is still alive. It lives as long as one of them: `client` is held weakly. A client whose key was replaced leaves
 * its `previous` throttle if the new key has another one; else the new key leads to the same throttle.
 */
export const sharedThrottle = (
  client: ClientToken,
  origin: string,
  apiKey: string,
  options: ThrottleOptions = {},
  previous?: PreviousThrottle,
): Throttle => {
  const { clock: _clock, ...settings } = settingsOf(options)
  // Runtimes that cannot watch objects cannot share either without keeping every throttle until the process ends.
  if (typeof FinalizationRegistry === 'undefined') return previous?.throttle ?? createLocalThrottle(options)
  const { entries, gone, callbacks } = registry()
  // There is no timer for it: the garbage collector, which reports clients that are gone, must not set any.
  if (timersDieWithRequests) for (const idle of new Set(entries.values())) forgetIfIdle(entries, idle)
  const name = nameOf(origin, apiKey)
  const before = previous && entries.get(nameOf(origin, previous.apiKey))
  const entry = entries.get(name) ?? before ?? createEntry(options, callbacks)
  entries.set(name, entry)
  const ref = refs.get(client) ?? new WeakRef(client)
  refs.set(client, ref)
  if (before && before !== entry) leave(entries, before, ref)
  if (before) forgetNames(entries, entry, maxNames)
  entry.clients.set(ref, settings)
  configure(entry)
  callbacks.set(client, { onPaceChange: options.onPaceChange, onLongWait: options.onLongWait })
  gone.unregister(client)
  gone.register(client, { entry, client: ref }, client)
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
