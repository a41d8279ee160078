import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { assumptionRows } from '../assumptions/index.ts'
import type { Guild } from '../guild/index.ts'
import type { Ledger } from '../mock-ledger/index.ts'
import type { Fault } from '../faults/index.ts'
import type { KeyDetails, When } from '../store/index.ts'
import { fieldsOf, jsonOf, listOf } from './body.ts'
import type { Clock } from './clock.ts'
import { Refused } from './refused.ts'
import type { Snapshots } from './snapshots.ts'

/** What a verb works with. */
export interface Call {
  readonly mock: Ledger
  readonly clock: Clock | undefined
  readonly snapshots: Snapshots
  /** What stands in the path in place of `{…}`. */
  readonly ids: readonly string[]
  readonly body: string
}

/** Does what is asked and says what there is to say, as JSON. Without anything, the reply is 204. */
type Verb = (call: Call) => unknown

// More would keep the server busy for minutes.
const mostSeeded = 1_000_000
const guildFields = ['users', 'transactions', 'seed', 'assumptions', 'rateLimit', 'subscription', 'apiKey']

const guildOf = ({ mock, ids: [id] }: Call): Guild => {
  const guild = mock.guilds.find((one) => one.id === id)
  if (guild) return guild
  throw new Refused(404, `There is no guild ${inWords(id)}: see GET /_mock/guilds.`)
}

const clockOf = ({ clock }: Call): Clock => {
  if (clock) return clock
  throw new Refused(409, 'This mock has a clock of its own: give createAdmin the one of createClock.')
}

const shownGuild = ({ id, subscription, rateLimit, assumptions, keys, transactions }: Guild) => ({
  id,
  subscription,
  rateLimit,
  assumptions,
  keys: keys.length,
  transactions: transactions.length,
})

const shownClock = (clock: Clock) => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen })

const createGuild: Verb = ({ mock, body }) => {
  const options = fieldsOf(body, guildFields)
  for (const name of ['users', 'transactions']) {
    if (Number(options[name] ?? 0) > mostSeeded) throw new Refused(400, `${name} must be at most ${mostSeeded}.`)
  }
  const guild = mock.createGuild(options)
  return { ...shownGuild(guild), apiKey: guild.apiKey }
}

const changeGuild: Verb = (call) => {
  const guild = guildOf(call)
  const { subscription, rateLimit } = fieldsOf(call.body, ['subscription', 'rateLimit']) as Partial<Guild>
  const before = guild.subscription
  if (subscription !== undefined) guild.subscription = subscription
  try {
    if (rateLimit !== undefined) guild.rateLimit = rateLimit
  } catch (error) {
    guild.subscription = before
    throw error
  }
  return shownGuild(guild)
}

const schedule: Verb = (call) => {
  const { transactions, ...when } = fieldsOf(call.body, ['transactions', 'at', 'afterMs', 'afterRequests'])
  guildOf(call).schedule(listOf('transactions', transactions) as LedgerEntry[], when as unknown as When)
}

const removeTransactions: Verb = (call) => {
  const { transactionIds } = fieldsOf(call.body, ['transactionIds'])
  guildOf(call).remove(listOf('transactionIds', transactionIds) as string[])
}

const fail: Verb = (call) => {
  const fault = jsonOf(call.body)
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault)) {
    throw new Refused(400, `The body must be a failure such as {"kind":"hang"}, not ${inWords(fault)}.`)
  }
  guildOf(call).fail(fault as Fault)
}

const moveClock =
  (names: readonly string[], move: (clock: Clock, fields: Readonly<Record<string, unknown>>) => void): Verb =>
  (call) => {
    const clock = clockOf(call)
    move(clock, fieldsOf(call.body, names))
    return shownClock(clock)
  }

let description: unknown
const openApi: Verb = () =>
  (description ??= JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('@guild-ledger/sdk/openapi.json'), 'utf8'),
  ))

/** Every verb, by path and method. The README has the same table in words. */
export const verbs: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  '/_mock/guilds': { GET: ({ mock }) => mock.guilds.map(shownGuild), POST: createGuild },
  '/_mock/guilds/{id}': { GET: (call) => shownGuild(guildOf(call)), PATCH: changeGuild },
  '/_mock/guilds/{id}/keys': {
    GET: (call) => guildOf(call).keys,
    POST: (call) =>
      guildOf(call).createKey(fieldsOf(call.body, ['name', 'scopes', 'expiresAt']) as unknown as KeyDetails),
  },
  '/_mock/guilds/{id}/keys/{keyId}': { DELETE: (call) => guildOf(call).deleteKey(call.ids[1] ?? '') },
  '/_mock/guilds/{id}/transactions': {
    GET: (call) => guildOf(call).transactions,
    POST: (call) => guildOf(call).add(listOf('The body', jsonOf(call.body)) as LedgerEntry[]),
    DELETE: removeTransactions,
  },
  '/_mock/guilds/{id}/transactions/load': { POST: (call) => ({ loaded: guildOf(call).load(call.body) }) },
  '/_mock/guilds/{id}/transactions/schedule': { POST: schedule },
  '/_mock/guilds/{id}/faults': { POST: fail, DELETE: (call) => guildOf(call).recover() },
  '/_mock/guilds/{id}/requests': { GET: (call) => guildOf(call).requests },
  '/_mock/guilds/{id}/conduct': { GET: (call) => guildOf(call).conduct() },
  '/_mock/requests': { GET: ({ mock }) => mock.requests },
  '/_mock/assumptions': { GET: () => assumptionRows },
  '/_mock/clock': { GET: (call) => shownClock(clockOf(call)) },
  '/_mock/clock/freeze': { POST: moveClock(['at'], (clock, { at }) => clock.freeze(at as string | undefined)) },
  '/_mock/clock/advance': { POST: moveClock(['ms'], (clock, { ms }) => clock.advance(ms as number)) },
  '/_mock/clock/resume': { POST: moveClock([], (clock) => clock.resume()) },
  '/_mock/snapshots': { POST: ({ mock, snapshots }) => ({ id: snapshots.keep(mock.snapshot()) }) },
  '/_mock/snapshots/{id}/restore': {
    POST: ({ mock, snapshots, ids: [id = ''] }) => mock.restore(snapshots.find(id)),
  },
  '/_mock/reset': { POST: ({ mock, clock }) => (mock.reset(), clock?.reset()) },
  '/_mock/openapi.json': { GET: openApi },
}
