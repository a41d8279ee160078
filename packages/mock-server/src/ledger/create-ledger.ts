import { limits, requiredScope } from '@guild-ledger/sdk/contract'
import { describeValue } from '@guild-ledger/validation'
import { createFetch } from '../adapters/fetch.ts'
import { core, endingWith, waitByTimer, type EngineWithCore } from '../adapters/core.ts'
import { createHandlers, type Handlers } from '../adapters/msw.ts'
import { createEffectiveAssumptions } from '../assumptions/effective.ts'
import { processWideAssumptions } from '../assumptions/process-wide.ts'
import { createRecorder } from '../coverage/recorder.ts'
import type { Usages } from '../rate-limit/rate-limit.ts'
import { createRequestLog, defaultKeepRequests } from '../request-log/request-log.ts'
import type { Libraries } from '../libraries.ts'
import { createGuildState } from '../service/guild-state.ts'
import { createRouter } from '../service/router.ts'
import { createService, type SeenResponse } from '../service/service.ts'
import { createStubs } from '../service/stubs.ts'
import { createTrace } from '../service/trace.ts'
import { createKeys } from '../store/keys.ts'
import { createGuild as createGuildOf, type GuildCore } from './create-guild.ts'
import type { Guild } from './guild.ts'
import type { MockLedger } from './ledger.ts'
import {
  checkedGuildOptions,
  checkedMockOptions,
  defaultTransactions,
  type GuildOptions,
  type MockLedgerOptions,
} from './options.ts'
import { expectationsOfMock } from './expectations.ts'
import { createSnapshots } from './snapshots.ts'

/**
 * The API key of the first guild of the first mock in a process unless configured otherwise, so that scripts can contain
 * it. Further mocks have a number behind it: clients with the same key share a throttle, and tests should not wait for
 * each other.
 */
export const defaultApiKey = 'guild-ledger-mock-key'
let mocks = 0

const endOfTime = '9999-12-31T23:59:59.999Z'

/** Creates a mock ledger with the libraries of a runtime. Its transactions are generated when they are first needed. */
export const createMockLedgerWith = (libraries: Libraries, options: MockLedgerOptions = {}): MockLedger => {
  const {
    origin = 'https://ledger.test',
    now = () => Date.now(),
    wait = waitByTimer,
    explain = false,
    keepRequests = defaultKeepRequests,
    assumptions,
    ...firstGuild
  } = checkedMockOptions(options)
  const { rateLimit, seed = 1 } = firstGuild
  const effective = createEffectiveAssumptions(assumptions, { current: processWideAssumptions() })
  const recorder = createRecorder(explain)
  const trace = createTrace(() => effective.state())
  mocks++
  const suffix = mocks === 1 ? '' : `-${mocks}`
  const keys = createKeys(`${seed}${suffix}`)
  const guilds = new Map<string, GuildCore>()
  const log = createRequestLog(keepRequests)
  const stubs = createStubs()
  const byAddress: Usages = new Map()
  /** Guilds that were ever created: an id is never used again. */
  let created = 0

  const createGuild = (given: GuildOptions = {}): Guild => {
    const { apiKey: value, ...own } = checkedGuildOptions(given)
    const id = `guild-${created + 1}`
    const state = createGuildState({
      id,
      seed: seed + created,
      users: 20,
      transactions: 0,
      subscription: 'developer',
      rateLimit: rateLimit ?? limits.requestsPerSecond,
      isLimitSet: (own.rateLimit ?? rateLimit) !== undefined,
      assumptions: undefined,
      ...own,
      ofMock: effective,
      keepRequests,
      recorder,
      loadFaker: libraries.faker,
      byAddress,
    })
    const key = { name: `first key of ${id}`, scopes: [requiredScope], expiresAt: endOfTime } as const
    const { value: apiKey } = keys.create(id, { ...key, ...(value !== undefined && { value }) })
    created++
    const guild = createGuildOf({
      state,
      keys,
      now,
      apiKey,
      logOfMock: log,
      connection: unthrottled,
      isPresent: () => guilds.get(id)?.state === state,
    })
    guilds.set(id, guild)
    return guild.guild
  }

  const seen: SeenResponse[] = []
  const guildAt = (id?: string | null) => guilds.get(id ?? '')?.state
  const parts = { keys, guildAt, stubs, now, effective, log, seen, explain, trace, recorder }
  const router = createRouter(createService(parts))
  const engine: EngineWithCore = {
    respond: (request) => router.respond(request),
    [core]: {
      waitFor: (response) => endingWith(wait, (listener) => router.onEnd(response, listener)),
      unreceived: (response) => router.unreceived(response),
      keepAsBeginning() {
        for (const each of guilds.values()) each.keepAsBeginning()
        beginning = snapshots.take()
      },
      seen: () => [...seen],
    },
  }
  const connection = { origin, fetch: createFetch(engine, origin) }
  const unthrottled = { origin, fetch: createFetch(engine, origin, { unthrottled: true }) }
  const guild = createGuild({ transactions: defaultTransactions, apiKey: defaultApiKey + suffix, ...firstGuild })
  const snapshots = createSnapshots(guilds, [
    keys,
    log,
    effective,
    stubs,
    {
      state: () => [...byAddress],
      restore(usages: Iterable<Parameters<Usages['set']>>) {
        byAddress.clear()
        for (const usage of usages) byAddress.set(...usage)
      },
    },
    { state: () => created, restore: (state: number) => void (created = state) },
  ])
  let beginning = snapshots.take()
  let handlers: Handlers | undefined
  return {
    ...engine,
    ...connection,
    get handlers() {
      return (handlers ??= createHandlers(engine, origin, libraries.http(), libraries.handlersFor))
    },
    apiKey: guild.apiKey,
    clientOptions: guild.clientOptions,
    guild,
    get guilds() {
      return [...guilds.values()].map((each) => each.guild)
    },
    get assumptions() {
      return effective.current
    },
    assume: (changes) => effective.change(changes),
    createGuild,
    removeGuild(id) {
      if (id === guild.id) throw new TypeError(`${id} is the first guild, which stays: use guild.reset()`)
      const removed = guildAt(id)
      if (!removed) throw new TypeError(`There is no guild ${describeValue(id)}. Pass the \`id\` of a guild.`)
      guilds.delete(id)
      keys.restoreGuild(id, new Map())
      removed.faults.end()
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
    coverage: () => recorder.coverage(),
    ...expectationsOfMock(log, keys),
    snapshot: () => snapshots.take(),
    restore: (snapshot) => snapshots.restore(snapshot),
    reset: () => snapshots.restore(beginning),
  }
}
