import { requiredScope } from '@guild-ledger/sdk/contract'
import { describeValue } from '@guild-ledger/validation'
import { hashOf } from './hash.ts'
import { timeOf } from './timestamp.ts'

/** What a key may do. The names of other scopes are unspecified. Spec: Authentication, 7 and 8. */
export type Scope = typeof requiredScope

/** What is needed to create a key. Spec: Authentication, 3. */
export interface KeyDetails {
  /** Free text. */
  readonly name: string
  /** May be empty, for a valid key that may do nothing. */
  readonly scopes: readonly Scope[]
  /** When the key expires: a `Date` or an ISO 8601 string. */
  readonly expiresAt: Date | string
}

/** A key as it is listed, without its value, of which only a hash is kept. Spec: Resources, API key. */
export interface ApiKey {
  /** Identifies the key in the log and in `deleteKey`. */
  readonly id: string
  /** Free text chosen by its creator. */
  readonly name: string
  /** The guild the key is bound to; `null` for none. */
  readonly guildId: string | null
  /** What the key may do. */
  readonly scopes: readonly Scope[]
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

/** A key when it is created, the only time its value is returned. Spec: Authentication, 4. */
export interface CreatedKey extends ApiKey {
  /** The value of the `x-api-key` header. */
  readonly value: string
}

/** All keys at some time, by the hash of their value. */
interface KeysState {
  readonly byHash: ReadonlyMap<string, ApiKey>
  readonly created: number
}

/** All keys of a mock. */
export interface Keys {
  /**
   * Creates a key. Its value is made from the seed unless it is given.
   *
   * @throws {TypeError} A detail is missing or invalid, or `expiresAt` is not later than `now`.
   */
  create(guildId: string | null, details: KeyDetails, now: number, value?: string): CreatedKey
  /** The key that has a value. */
  find(value: string): ApiKey | undefined
  /** The keys of a guild, or with `null` those without one, oldest first. */
  of(guildId: string | null): ApiKey[]
  /**
   * @throws {TypeError} The guild has no key with this id; with `null`, no key without a guild has it.
   */
  delete(id: string, guildId: string | null): void
  /** All keys and the number of keys ever created, for `restore`. */
  state(): KeysState
  restore(state: KeysState): void
}

const expiryOf = ({ expiresAt }: KeyDetails, now: number): string => {
  const example = "such as new Date('2030-01-01') or '2030-01-01T00:00:00Z'"
  const expiry = new Date(timeOf(expiresAt))
  if (Number.isNaN(expiry.getTime())) {
    throw new TypeError(`\`expiresAt\` must be a date ${example}, got ${describeValue(expiresAt)}.`)
  }
  if (expiry.getTime() > now) return expiry.toISOString()
  throw new TypeError(
    `\`expiresAt\` must be later than now (${new Date(now).toISOString()}), got ${expiry.toISOString()}. For an expired key, create one that expires soon and advance the clock.`,
  )
}

const checked = (details: KeyDetails, now: number) => {
  const { name, scopes } = details
  if (typeof name !== 'string' || name.trim() === '') {
    throw new TypeError(`\`name\` must be a string that is not blank, got ${describeValue(name)}.`)
  }
  if (!Array.isArray(scopes)) {
    throw new TypeError(`\`scopes\` must be an array such as ['${requiredScope}'], got ${describeValue(scopes)}.`)
  }
  const unknown = scopes.find((scope) => scope !== requiredScope)
  if (unknown !== undefined) {
    throw new TypeError(`Unknown scope ${describeValue(unknown)}. Known scopes: \`${requiredScope}\`.`)
  }
  return { name, scopes: Object.freeze([...new Set(scopes)]), expiresAt: expiryOf(details, now) }
}

/** Printable ASCII, which every HTTP client can send in a header. */
const sendable = /^[\x21-\x7e]+$/

/** Keeps keys by a hash of their value. Values are made from the seed: the same seed gives the same ones in the same order. */
export const createKeys = (seed: string): Keys => {
  let byHash = new Map<string, ApiKey>()
  let created = 0
  return {
    create(guildId, details, now, value) {
      const fields = checked(details, now)
      const id = `key-${created + 1}`
      const keyValue = value === undefined ? `mock_${hashOf(`${seed}/${id}`).slice(0, 40)}` : value
      if (typeof keyValue !== 'string' || !sendable.test(keyValue)) {
        throw new TypeError(
          'The value of a key must be printable ASCII without spaces, because it is sent in a header.',
        )
      }
      const hash = hashOf(keyValue)
      if (byHash.has(hash)) throw new TypeError('A key with this value exists. Each guild needs its own.')
      created++
      const key: ApiKey = Object.freeze({ id, guildId, ...fields })
      byHash.set(hash, key)
      return { ...key, value: keyValue }
    },
    find: (value) => byHash.get(hashOf(value)),
    of: (guildId) => [...byHash.values()].filter((key) => key.guildId === guildId),
    delete(id, guildId) {
      const hash = [...byHash].find(([, key]) => key.id === id && key.guildId === guildId)?.[0]
      if (hash === undefined) {
        throw new TypeError(
          guildId === null
            ? `No key without a guild has the id ${describeValue(id)}.`
            : `${guildId} has no key ${describeValue(id)}.`,
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
