import { alternativesTo } from '../assumptions/alternatives.ts'
import { auditOf } from '../request-log/audit.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import type { GuildState } from '../service/guild-state.ts'
import { parseTransactions } from '../store/parse-transactions.ts'
import type { Keys } from '../store/keys.ts'
import { completed } from './complete-transactions.ts'
import { createClientOptions, type Connection } from './client-options.ts'
import type { Guild } from './guild.ts'
import { expectationsOfGuild } from './expectations.ts'
import { subscriptionCheck } from './options.ts'
import { checkedValue } from '../type-error.ts'
import { rememberGuild } from './snapshots.ts'

const checkKeyAllowed = ({ id, subscription, assumptions, trace, recorder }: GuildState, existing: number): void => {
  const { maxKeysPerGuild } = assumptions
  trace({ of: 'key' }, assumptions, () => alternativesTo(assumptions).filter(({ key }) => key === 'maxKeysPerGuild'))
  recorder.note(() => [['assumption', 'maxKeysPerGuild']])
  if (subscription === 'none') {
    throw new TypeError(`${id} has no active Developer or Enterprise subscription, which an API key requires`)
  }
  if (maxKeysPerGuild !== null && existing >= maxKeysPerGuild) {
    throw new TypeError(
      `${id} has ${existing} API keys, as many as the assumption \`maxKeysPerGuild\` allows: delete one first`,
    )
  }
}

interface GuildParts {
  readonly state: GuildState
  readonly keys: Keys
  readonly now: () => number
  readonly apiKey: string
  readonly logOfMock: RequestLog
  readonly connection: Connection
  readonly isPresent: () => boolean
}

export interface GuildCore {
  readonly state: GuildState
  readonly guild: Guild
  /** Makes the current state the one that `reset` goes back to. */
  keepAsBeginning(): void
}

/** Returns a function that restores a guild with its keys to what it is now. */
const rememberWithKeys = (state: GuildState, keys: Keys): (() => void) => {
  const restore = rememberGuild(state)
  const own = keys.guildState(state.id)
  return () => {
    restore()
    keys.restoreGuild(state.id, own)
  }
}

export const createGuild = ({ state, keys, now, apiKey, logOfMock, connection, isPresent }: GuildParts): GuildCore => {
  const { id, effective, transactions, faults, scheduled, limiter, log, recorder } = state
  const expectations = expectationsOfGuild(state, logOfMock, keys)
  let toBeginning = rememberWithKeys(state, keys)
  const checkPresent = () => {
    if (!isPresent())
      throw new TypeError(`${id} was removed: no request reaches it. Create another with createGuild().`)
  }
  const guild: Guild = {
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
      state.subscription = checkedValue(subscriptionCheck, 'subscription', value)
    },
    get rateLimit() {
      return limiter.limit
    },
    set rateLimit(value) {
      limiter.limit = value
      state.isLimitSet = true
    },
    get transactions() {
      scheduled.applyDue(now())
      return transactions.entries()
    },
    add(added) {
      checkPresent()
      return transactions.add(completed(added, guild), scheduled.ids())
    },
    load(given) {
      checkPresent()
      const loaded = parseTransactions(given)
      transactions.add(loaded, scheduled.ids())
      return loaded.length
    },
    export() {
      const lines = guild.transactions.map((entry) => `${JSON.stringify(entry)}\n`)
      return lines.length > 0 ? lines.join('') : '[]\n'
    },
    schedule(added, schedule) {
      checkPresent()
      scheduled.schedule(completed(added, guild), schedule, now())
    },
    remove(transactionIds) {
      scheduled.applyDue(now())
      transactions.remove(transactionIds)
    },
    createKey(details) {
      checkPresent()
      checkKeyAllowed(state, keys.of(id).length)
      return keys.create(id, details)
    },
    deleteKey: (keyId) => keys.delete(keyId, id),
    get keys() {
      return keys.of(id)
    },
    fault(fault) {
      checkPresent()
      const scripted = faults.script(fault, { now: now(), keyIds: keys.of(id).map((key) => key.id) })
      recorder.note(() => [['scripted', scripted.fault]])
    },
    clearFaults: () => faults.clear(),
    get faults() {
      return faults.list(now())
    },
    get unusedFaults() {
      return guild.faults.filter(({ fault, happened }) => happened === 0 && fault.probability === undefined)
    },
    get requests() {
      return log.requests()
    },
    ...expectations,
    audit: () => auditOf(log),
    reset: () => toBeginning(),
  }
  return {
    state,
    guild,
    keepAsBeginning() {
      toBeginning = rememberWithKeys(state, keys)
    },
  }
}
