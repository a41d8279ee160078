import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { inWords } from '@guild-ledger/sdk/contract'
import type { Fault } from './faults.ts'
import type { ApiKey, CreatedKey, GuildState, KeyDetails, Keys, Subscription } from './store/index.ts'

/** One guild of a mock ledger: its data, its keys, and what goes wrong for it. */
export interface Guild {
  readonly id: string
  /** Value of the guild's first key. It may do all there is and never expires. */
  readonly apiKey: string
  /**
   * The guild's plan. With `'none'` its keys are refused and no more can be created. Spec: Authentication, 2.
   *
   * @default 'developer'
   */
  subscription: Subscription
  /** All transactions as they entered the ledger, `createdAt` to the millisecond. A copy: changing it changes nothing. */
  readonly transactions: LedgerEntry[]
  /**
   * Appends transactions.
   *
   * @throws {TypeError} One breaks the contract or its `transactionId` is taken; then none is added.
   */
  add(rows: readonly LedgerEntry[]): void
  /**
   * Removes transactions.
   *
   * @throws {TypeError} There is no transaction with one of the ids; then none is removed.
   */
  remove(transactionIds: readonly string[]): void
  /**
   * Creates a key for this guild. Its value is shown this once. Spec: Authentication, 3 to 5.
   *
   * @throws {TypeError} A detail is missing or wrong, the expiry is in the past, or the guild may have no more keys.
   */
  createKey(details: KeyDetails): CreatedKey
  /**
   * Deletes a key. From then on it is an invalid key.
   *
   * @throws {TypeError} The guild has no key with this id.
   */
  deleteKey(id: string): void
  /** The guild's keys, without their values. */
  readonly keys: ApiKey[]
  /**
   * Scripts a failure.
   *
   * @throws {TypeError} The description of the failure is wrong.
   */
  fail(fault: Fault): void
}

const subscriptions: readonly string[] = ['developer', 'enterprise', 'none'] satisfies Subscription[]

/** Takes a subscription if it is one. */
export const checkedSubscription = (value: Subscription): Subscription => {
  if (subscriptions.includes(value)) return value
  throw new TypeError(`subscription must be one of ${subscriptions.join(', ')}, not ${inWords(value)}.`)
}

const mayCreateKey = ({ id, subscription, assumptions }: GuildState, existing: number): void => {
  const { maxKeysPerGuild: most } = assumptions
  if (subscription === 'none') {
    throw new TypeError(`${id} has no active Developer or Enterprise subscription, which creating a key takes.`)
  }
  if (most !== null && existing >= most) {
    throw new TypeError(
      `${id} has ${existing} keys, as many as the assumption maxKeysPerGuild allows: delete one first.`,
    )
  }
}

/** The guild as a test handles it, over what the service knows of it. */
export const createGuildHandle = (state: GuildState, keys: Keys, now: () => number, apiKey: string): Guild => {
  const { id, rows, faults } = state
  return {
    id,
    apiKey,
    get subscription() {
      return state.subscription
    },
    set subscription(value) {
      state.subscription = checkedSubscription(value)
    },
    get transactions() {
      return rows.entries()
    },
    add: (added) => rows.add(added),
    remove: (transactionIds) => rows.remove(transactionIds),
    createKey(details) {
      mayCreateKey(state, keys.of(id).length)
      return keys.create(id, details, now())
    },
    deleteKey(keyId) {
      if (!keys.of(id).some((key) => key.id === keyId)) throw new TypeError(`${id} has no key ${inWords(keyId)}.`)
      keys.delete(keyId)
    },
    get keys() {
      return keys.of(id)
    },
    fail: (fault) => faults.script(fault),
  }
}
