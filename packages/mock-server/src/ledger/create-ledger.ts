import { limits, requiredScope } from '@guild-ledger/sdk/contract'
import { describeValue } from '@guild-ledger/validation'
import { createFetch } from '../adapters/fetch.ts'
import { createHandle } from '../adapters/to-response.ts'
import { waitByTimer, withHooks, type Hooks } from '../adapters/hooks.ts'
import { createEffectiveAssumptions, processWideAssumptions } from '../assumptions/index.ts'
import { createAddressUsages, type AddressUsages } from '../rate-limit/index.ts'
import { createRequestLog, defaultKeepRequests } from '../request-log/index.ts'
import type { Faker } from '../seed/faker.ts'
import type { GuildState } from '../service/guild-state.ts'
import { createRouter } from '../service/router.ts'
import { createService } from '../service/service.ts'
import { createStubs } from '../service/stubs.ts'
import { createTrace } from '../service/trace.ts'
import { createKeys } from '../store/index.ts'
import { createGuild as createGuildOf, keepGuildAsBeginning } from './create-guild.ts'
import { createGuildState } from './create-guild-state.ts'
import type { Guild } from './guild.ts'
import type { Ledger } from './ledger.ts'
import {
  checkedGuildOptions,
  checkedMockOptions,
  defaultTransactions,
  type GuildOptions,
  type MockLedgerOptions,
} from './options.ts'
import { observeMock } from './observe.ts'
import { createSnapshots } from './snapshots.ts'

/**
 * The API key of the first guild of the first mock in a process unless configured otherwise, so that scripts can contain
 * it. Further mocks have a number behind it: clients with the same key share a throttle, and tests should not wait for
 * each other.
 */
export const defaultApiKey = 'guild-ledger-mock-key'
let mocks = 0

const endOfTime = '9999-12-31T23:59:59.999Z'

const createCounter = () => {
  let count = 0
  return {
    state: () => count,
    restore(value: number) {
      count = value
    },
  }
}

/** What addresses used in all guilds, and for a trace what they would have used under other assumptions. */
const createUsagesOfMock = () => {
  const usages = createAddressUsages()
  const alternatives = new Map<string, AddressUsages>()
  return {
    usages(alternative?: string): AddressUsages {
      if (alternative === undefined) return usages
      const known = alternatives.get(alternative) ?? createAddressUsages()
      alternatives.set(alternative, known)
      return known
    },
    state: () => usages.state(),
    restore(state: ReturnType<AddressUsages['state']>) {
      usages.restore(state)
      for (const each of alternatives.values()) each.clear()
    },
  }
}

const beginHere = new WeakMap<Ledger, () => void>()

/**
 * Creates a mock ledger with one guild. Its transactions are generated when they are first needed.
 *
 * @throws {TypeError} An option is unknown or not allowed.
 */
export const createLedger = (options: MockLedgerOptions, loadFaker: () => Faker): Ledger => {
  const {
    origin = 'https://ledger.test',
    now = () => Date.now(),
    wait = waitByTimer,
    explain = false,
    keepRequests = defaultKeepRequests,
    assumptions,
    ...firstGuild
  } = checkedMockOptions(options)
  const { rateLimit = limits.requestsPerSecond, seed = 1 } = firstGuild
  const effective = createEffectiveAssumptions(assumptions, { current: processWideAssumptions() })
  const trace = createTrace(() => effective.state())
  mocks++
  const suffix = mocks === 1 ? '' : `-${mocks}`
  const keys = createKeys(`${seed}${suffix}`)
  const guilds = new Map<string, GuildState>()
  const guildOf = new WeakMap<GuildState, Guild>()
  const log = createRequestLog(keepRequests)
  const stubs = createStubs()
  const used = createUsagesOfMock()
  /** Guilds that were ever created: an id is never used again. */
  const created = createCounter()

  const createGuild = (given: GuildOptions = {}): Guild => {
    const { apiKey: value, ...guildOptions } = checkedGuildOptions(given)
    const earlier = created.state()
    const id = `guild-${earlier + 1}`
    const inherited = {
      seed: seed + earlier,
      rateLimit,
      effective,
      keepRequests,
      loadFaker,
      addressUsages: (alternative?: string) => used.usages(alternative),
    }
    const state = createGuildState(id, guildOptions, inherited)
    const key = { name: `first key of ${id}`, scopes: [requiredScope], expiresAt: endOfTime } as const
    const { value: apiKey } = keys.create(id, { ...key, ...(value !== undefined && { value }) })
    created.restore(earlier + 1)
    guilds.set(id, state)
    const guild = createGuildOf({ state, keys, now, apiKey, logOfMock: log, connection })
    guildOf.set(state, guild)
    return guild
  }

  const router = createRouter(createService({ keys, guilds, stubs, now, effective, log, explain, trace }))
  const hooks: Hooks = { wait, unreceived: (response) => router.unreceived(response) }
  const engine = withHooks({ respond: (request) => router.respond(request) }, hooks)
  const connection = { origin, fetch: createFetch(engine, origin) }
  const guild = createGuild({ transactions: defaultTransactions, apiKey: defaultApiKey + suffix, ...firstGuild })
  const snapshots = createSnapshots(guilds, [keys, log, effective, stubs, used, created])
  let beginning = snapshots.take()
  const observed = observeMock(log, keys)
  const ledger: Ledger = {
    ...engine,
    handle: createHandle(engine, 'mock.handle'),
    ...connection,
    apiKey: guild.apiKey,
    clientOptions: guild.clientOptions,
    guild,
    get guilds() {
      return [...guilds.values()].flatMap((state) => guildOf.get(state) ?? [])
    },
    get assumptions() {
      return effective.current
    },
    assume: (changes) => effective.change(changes),
    createGuild,
    removeGuild(id) {
      if (id === guild.id) throw new TypeError(`${id} is the first guild, which stays: use guild.reset()`)
      if (!guilds.delete(id)) throw new TypeError(`There is no guild ${describeValue(id)}.`)
      keys.deleteAll(id)
    },
    createUnboundKey: (details) => keys.create(null, details),
    get unboundKeys() {
      return keys.of(null)
    },
    deleteUnboundKey: (id) => keys.delete(id, null),
    stub: (path, response) => stubs.set(path, response),
    get stubs() {
      return stubs.list()
    },
    clearStubs: () => stubs.clear(),
    get requests() {
      return log.requests()
    },
    expectRequests: observed.expectRequests,
    expectRequestsInOrder: observed.expectRequestsInOrder,
    waitForRequests: observed.waitForRequests,
    snapshot: () => snapshots.take(),
    restore: (snapshot) => snapshots.restore(snapshot),
    reset: () => snapshots.restore(beginning),
  }
  beginHere.set(ledger, () => {
    for (const each of ledger.guilds) keepGuildAsBeginning(each)
    beginning = snapshots.take()
  })
  return withHooks(ledger, hooks)
}

/** Makes the current state of a mock and of its guilds the one that `reset` goes back to. */
export const keepAsBeginning = (ledger: Ledger): void => beginHere.get(ledger)?.()
