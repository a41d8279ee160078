import { inWords, requiredScope } from '@guild-ledger/sdk/contract'
import { hashOf } from './hash.ts'
import { timeOf } from './instant.ts'

/** What a key may do. Names of other scopes than this one are not shown. Spec: Authentication, 7 and 8. */
export type Scope = typeof requiredScope

/** What it takes to create a key. Spec: Authentication, 3. */
export interface KeyDetails {
  /** Free text. */
  readonly name: string
  /** May be empty: a key that is valid and may do nothing. */
  readonly scopes: readonly Scope[]
  /** When the key stops working: a `Date`, or ISO 8601 text. */
  readonly expiresAt: Date | string
}

/** A key as it can be listed. Its value is not among the fields: only a hash of it is kept. Spec: Resources, API key. */
export interface ApiKey {
  /** What the key is known by in the log, and deleted by. */
  readonly id: string
  /** Free text chosen at its creation. */
  readonly name: string
  /** The one guild the key is bound to; `null` for none. */
  readonly guildId: string | null
  /** What the key may do. */
  readonly scopes: readonly Scope[]
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

/** A key at its creation, the only time its value is shown. Spec: Authentication, 4. */
export interface CreatedKey extends ApiKey {
  /** What goes into the `x-api-key` header. */
  readonly value: string
}

/** The keys at some moment, by the hash of their value. */
interface KeysState {
  readonly byHash: ReadonlyMap<string, ApiKey>
  readonly created: number
}

/** All keys of a mock. */
export interface Keys {
  /**
   * @throws {TypeError} A detail is missing or wrong, or the expiry is not later than `now`.
   */
  create(guildId: string | null, details: KeyDetails, now: number, value?: string): CreatedKey
  /** The key with this value. */
  find(value: string): ApiKey | undefined
  /** The keys of a guild, or those of none, oldest first. */
  of(guildId: string | null): ApiKey[]
  /**
   * @throws {TypeError} The guild has no such key; with `null`, no key without a guild is such.
   */
  delete(id: string, guildId: string | null): void
  /** All keys and how many there ever were, to come back to. */
  state(): KeysState
  restore(state: KeysState): void
}

const expiryOf = ({ expiresAt }: KeyDetails, now: number): string => {
  const example = "such as new Date('2030-01-01') or '2030-01-01T00:00:00Z'"
  const expiry = new Date(timeOf(expiresAt))
  if (Number.isNaN(expiry.getTime())) {
    throw new TypeError(`expiresAt is mandatory and must be a date ${example}, not ${inWords(expiresAt)}.`)
  }
  if (expiry.getTime() > now) return expiry.toISOString()
  throw new TypeError(
    `expiresAt must be later than now (${new Date(now).toISOString()}), not ${expiry.toISOString()}: for an expired key, create one that expires soon and move the clock on.`,
  )
}

const checked = (details: KeyDetails, now: number) => {
  const { name, scopes } = details
  if (typeof name !== 'string' || name.trim() === '') {
    throw new TypeError(`name must be the name of the key, a text that is not empty, not ${inWords(name)}.`)
  }
  if (!Array.isArray(scopes)) {
    throw new TypeError(`scopes must be a list such as ['${requiredScope}'], not ${inWords(scopes)}.`)
  }
  const unknown = scopes.find((scope) => scope !== requiredScope)
  if (unknown !== undefined) {
    throw new TypeError(`Unknown scope ${inWords(unknown)}: the only one that is known is ${requiredScope}.`)
  }
  return { name, scopes: Object.freeze([...new Set(scopes)]), expiresAt: expiryOf(details, now) }
}

/** Printable ASCII, so that every HTTP client can send it as a header. */
const sendable = /^[\x21-\x7e]+$/

/** Keeps keys by a hash of their value. `seed` makes the values: same seed, same order, same values. */
export const createKeys = (seed: string): Keys => {
  let byHash = new Map<string, ApiKey>()
  let created = 0
  return {
    create(guildId, details, now, value) {
      const fields = checked(details, now)
      const id = `key-${created + 1}`
      const shown = value === undefined ? `mock_${hashOf(`${seed}/${id}`).slice(0, 40)}` : value
      if (typeof shown !== 'string' || !sendable.test(shown)) {
        throw new TypeError('The value of a key must be printable ASCII without spaces, so that a header can carry it.')
      }
      const hash = hashOf(shown)
      if (byHash.has(hash)) throw new TypeError('A key with this value exists: each guild needs one of its own.')
      created++
      const key: ApiKey = Object.freeze({ id, guildId, ...fields })
      byHash.set(hash, key)
      return { ...key, value: shown }
    },
    find: (value) => byHash.get(hashOf(value)),
    of: (guildId) => [...byHash.values()].filter((key) => key.guildId === guildId),
    delete(id, guildId) {
      const hash = [...byHash].find(([, key]) => key.id === id && key.guildId === guildId)?.[0]
      if (hash === undefined) {
        throw new TypeError(
          guildId === null ? `No key without a guild is ${inWords(id)}.` : `${guildId} has no key ${inWords(id)}.`,
        )
      }
      byHash.delete(hash)
    },
    state: () => ({ byHash: new Map(byHash), created }),
    restore(state) {
      byHash = new Map(state.byHash)
      ;({ created } = state)
    },
  }
}
