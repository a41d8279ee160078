import { requiredScope } from '@guild-ledger/sdk/contract'
import { array, check, describeValue, quoted, required, secret, worded } from '@guild-ledger/validation'
import { timeOf } from '../date-time.ts'
import { checkedFields } from '../type-error.ts'

/** What a key may do. The names of other scopes are unspecified. Spec: Authentication, 7 and 8. */
export type Scope = typeof requiredScope

/** What is needed to create a key. Spec: Authentication, 3. */
export interface KeyDetails {
  /** Free text. */
  readonly name: string
  /** May be empty, for a valid key that may do nothing. */
  readonly scopes: readonly Scope[]
  /** When the key expires: a `Date` or an ISO 8601 string. In the past, for a key that has expired. */
  readonly expiresAt: Date | string
  /**
   * Value of the `x-api-key` header: printable ASCII without spaces, and that of no other key.
   *
   * @default a value made from the seed
   */
  readonly value?: string
}

/** A key as it is listed, without its value. Spec: Resources, API key. */
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

type KeysByValue = ReadonlyMap<string, ApiKey>

/** The value of a key: what every HTTP client can send in a header. */
export const keyValue = secret(
  check(
    (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
    'printable ASCII without spaces, because it is sent in a header',
  ),
)

const detailChecks = {
  name: required(
    quoted(check((value) => typeof value === 'string' && value.trim() !== '', 'a string that is not blank')),
  ),
  scopes: required(worded(array, `an array such as ['${requiredScope}']`)),
  expiresAt: required(
    quoted(
      check((value) => !Number.isNaN(timeOf(value)), "a date such as new Date('2030-01-01') or '2030-01-01T00:00:00Z'"),
    ),
  ),
  value: keyValue,
} satisfies Record<keyof KeyDetails, unknown>

const checked = (details: KeyDetails) => {
  const { name, scopes, expiresAt, value } = checkedFields(detailChecks, details, { noun: 'field', label: 'key' })
  const unknown = scopes.find((scope) => scope !== requiredScope)
  if (unknown !== undefined) {
    throw new TypeError(`Unknown scope ${describeValue(unknown)}. Known scopes: \`${requiredScope}\`.`)
  }
  return {
    fields: { name, scopes: Object.freeze([...new Set(scopes)]), expiresAt: new Date(timeOf(expiresAt)).toISOString() },
    value,
  }
}

export type Keys = ReturnType<typeof createKeys>

/** Keeps keys by their value. Values are made from the seed: the same seed gives the same ones in the same order. */
export const createKeys = (seed: string) => {
  let byValue = new Map<string, ApiKey>()
  /** The guild of every key that was ever created, by its id. */
  let issued = new Map<string, string | null>()
  const guildState = (guildId: string | null): KeysByValue =>
    new Map([...byValue].filter(([, key]) => key.guildId === guildId))
  const keysOf = (guildId: string | null): ApiKey[] => [...guildState(guildId).values()]
  /** Gives a guild exactly these keys. A value that another guild has got in the meantime is taken from it. */
  const restoreGuild = (guildId: string | null, keys: KeysByValue): void => {
    byValue = new Map([...[...byValue].filter(([, key]) => key.guildId !== guildId), ...keys])
  }
  return {
    create(guildId: string | null, details: KeyDetails): CreatedKey {
      const id = `key-${issued.size + 1}`
      const { fields, value = `mock_${seed}_${id}` } = checked(details)
      if (byValue.has(value)) throw new TypeError('A key with this value exists. Each key needs its own.')
      const key: ApiKey = Object.freeze({ id, guildId, ...fields })
      issued.set(id, guildId)
      byValue.set(value, key)
      return { ...key, value }
    },
    find: (value: string): ApiKey | undefined => byValue.get(value),
    /** The keys of a guild, or with `null` those without one, oldest first. */
    of: keysOf,
    delete(id: string, guildId: string | null): void {
      const ids = keysOf(guildId).map((key) => key.id)
      if (!ids.includes(id)) {
        throw new TypeError(
          guildId === null
            ? `No key without a guild has the id ${describeValue(id)}.`
            : `${guildId} has no key ${describeValue(id)}. Ids of its keys: ${ids.join(', ') || 'none'}.`,
        )
      }
      byValue = new Map([...byValue].filter(([, key]) => key.id !== id))
    },
    /** The guild of a key that was ever created, deleted or not; `null` for none, `undefined` for no such key. */
    guildOf: (id: string): string | null | undefined => issued.get(id),
    /** Ids of all keys that were ever created, deleted or not; of those of one guild where it is given. */
    issued: (guildId?: string): string[] =>
      [...issued].flatMap(([id, owner]) => (guildId === undefined || owner === guildId ? [id] : [])),
    guildState,
    restoreGuild,
    /** All keys, and which were ever created, for `restore`. */
    state: () => ({ byValue: new Map(byValue), issued: new Map(issued) }),
    restore(state: { readonly byValue: KeysByValue; readonly issued: ReadonlyMap<string, string | null> }): void {
      byValue = new Map(state.byValue)
      issued = new Map(state.issued)
    },
  }
}
