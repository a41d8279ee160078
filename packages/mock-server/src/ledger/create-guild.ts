import { alternativesTo } from '../assumptions/index.ts'
import { auditOf, expectRequests } from '../request-log/index.ts'
import type { GuildState } from '../service/guild-state.ts'
import { parseTransactions, type Keys } from '../store/index.ts'
import { createClientOptions, type Connection } from './client-options.ts'
import type { Guild } from './guild.ts'
import { checkedSubscription } from './options.ts'

const checkKeyAllowed = ({ id, subscription, assumptions, trace }: GuildState, existing: number): void => {
  const { maxKeysPerGuild } = assumptions
  trace?.differs(alternativesTo(assumptions).filter(({ key }) => key === 'maxKeysPerGuild'))
  if (subscription === 'none') {
    throw new TypeError(`${id} has no active Developer or Enterprise subscription, which an API key requires`)
  }
  if (maxKeysPerGuild !== null && existing >= maxKeysPerGuild) {
    throw new TypeError(
      `${id} has ${existing} API keys, as many as the assumption \`maxKeysPerGuild\` allows: delete one first`,
    )
  }
}

/** The guild as tests use it, on top of what the service knows about it. */
export const createGuild = (
  state: GuildState,
  keys: Keys,
  now: () => number,
  apiKey: string,
  connection: Connection,
): Guild => {
  const { id, effective, transactions, faults, scheduled, limiter, log } = state
  return {
    id,
    apiKey,
    clientOptions: createClientOptions(apiKey, connection),
    get assumptions() {
      return effective.current
    },
    assume: (changes) => effective.change(changes),
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
      scheduled.applyDue(now())
      return transactions.entries()
    },
    add: (added) => transactions.add(added, scheduled.ids()),
    load(given) {
      const loaded = parseTransactions(given)
      transactions.add(loaded, scheduled.ids())
      return loaded.length
    },
    schedule: (added, schedule) => scheduled.schedule(added, schedule, now()),
    remove(transactionIds) {
      scheduled.applyDue(now())
      transactions.remove(transactionIds)
    },
    createKey(details) {
      checkKeyAllowed(state, keys.of(id).length)
      return keys.create(id, details, now())
    },
    deleteKey: (keyId) => keys.delete(keyId, id),
    get keys() {
      return keys.of(id)
    },
    fault: (fault) => faults.script(fault),
    clearFaults: () => faults.clear(),
    get faults() {
      return faults.list()
    },
    get requests() {
      return log.requests()
    },
    expectRequests: (count, matcher) => expectRequests(log.requests(), count, matcher),
    audit: () => auditOf(log.requests()),
  }
}
