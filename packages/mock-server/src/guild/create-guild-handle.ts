import { inWords } from '@guild-ledger/sdk/contract'
import { conductIn, expectRequests } from '../request-log/index.ts'
import { rowsFrom, type GuildState, type Keys, type Subscription } from '../store/index.ts'
import type { Guild } from './guild.ts'

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
  const { id, readings, rows, faults, arrivals, limiter, log } = state
  const handle: Guild = {
    id,
    apiKey,
    get assumptions() {
      return readings.inForce
    },
    assume: (changes) => readings.change(changes),
    get subscription() {
      return state.subscription
    },
    set subscription(value) {
      state.subscription = checkedSubscription(value)
    },
    get rateLimit() {
      return limiter.limit
    },
    set rateLimit(value) {
      limiter.limit = value
    },
    get transactions() {
      arrivals.arrive(now())
      return rows.entries()
    },
    add: (added) => rows.add(added, arrivals.ids()),
    load(given) {
      const loaded = rowsFrom(given)
      handle.add(loaded)
      return loaded.length
    },
    schedule: (scheduled, when) => arrivals.schedule(scheduled, when, now()),
    remove(transactionIds) {
      arrivals.arrive(now())
      rows.remove(transactionIds)
    },
    createKey(details) {
      mayCreateKey(state, keys.of(id).length)
      return keys.create(id, details, now())
    },
    deleteKey: (keyId) => keys.delete(keyId, id),
    get keys() {
      return keys.of(id)
    },
    fail: (fault) => faults.script(fault),
    recover: () => faults.clear(),
    get faults() {
      return faults.list()
    },
    get requests() {
      return log.requests()
    },
    expectRequests: (count, pattern) => expectRequests(log.requests(), count, pattern),
    conduct: () => conductIn(log.requests()),
  }
  return handle
}
