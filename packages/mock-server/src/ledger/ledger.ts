import { limits, requiredScope } from '@guild-ledger/sdk/contract'
import { createFetch } from '../adapters/fetch.ts'
import { createHandle } from '../adapters/to-response.ts'
import { waitByTimer, withWait } from '../adapters/wait.ts'
import { createEffectiveAssumptions, processWideAssumptions, type Assumptions } from '../assumptions/index.ts'
import type { Engine } from '../http.ts'
import { createRequestLog, defaultKeepRequests, type LoggedRequest } from '../request-log/index.ts'
import type { Faker } from '../seed/faker.ts'
import type { GuildState } from '../service/guild-state.ts'
import { createRouter } from '../service/router.ts'
import { createService } from '../service/service.ts'
import { createTrace } from '../service/trace.ts'
import { createKeys, type ApiKey, type CreatedKey, type KeyDetails } from '../store/index.ts'
import type { MockClientOptions } from './client-options.ts'
import { createGuild as createGuildOf } from './create-guild.ts'
import { createGuildState } from './create-guild-state.ts'
import type { Guild } from './guild.ts'
import {
  checkedGuildOptions,
  checkedMockOptions,
  defaultTransactions,
  type GuildOptions,
  type MockLedgerOptions,
} from './options.ts'
import { createSnapshots, type Snapshot } from './snapshots.ts'

/** A mock ledger without MSW. */
export interface Ledger extends Engine {
  /**
   * Responds to a `Request` with a `Response`. Origin and body of the request are ignored.
   *
   * @throws {TypeError} A fault: a broken connection, or one that a `Response` cannot simulate, whose message says why.
   */
  handle(request: Request): Promise<Response>
  /** API key of the first guild. */
  readonly apiKey: string
  /** Base URL of `fetch` and of the handlers, without a slash at the end. */
  readonly origin: string
  /** Responds to requests to `origin`, without a network. Other requests get status 421 and a message that says so. */
  readonly fetch: typeof fetch
  /** Options for a client in tests, with the API key of the first guild: `new GuildLedger(mock.clientOptions)`. */
  readonly clientOptions: MockClientOptions
  /** The first guild. */
  readonly guild: Guild
  /** All guilds, oldest first. */
  readonly guilds: Guild[]
  /**
   * The current value of every assumption, where a guild has none of its own, and for keys that are bound to no guild. The
   * first guild starts without any of its own.
   */
  readonly assumptions: Assumptions
  /**
   * Changes the value of some assumptions for every guild that has none of its own; the others stay.
   *
   * @throws {TypeError} A key is unknown or a value is not allowed; then nothing changes.
   */
  assume(changes: Partial<Assumptions>): void
  /**
   * Creates an isolated guild, with data, keys, assumptions, faults, rate limit and log of its own.
   *
   * @throws {TypeError} An option is unknown or not allowed; then no guild is created.
   */
  createGuild(options?: GuildOptions): Guild
  /**
   * Creates an API key that is bound to no guild, for `No guild ID provided`. Spec: Errors.
   *
   * @throws {TypeError} A detail is missing or not allowed, or the expiry is in the past.
   */
  createUnboundKey(details: KeyDetails): CreatedKey
  /** The API keys that are bound to no guild, without their values. */
  readonly unboundKeys: ApiKey[]
  /**
   * Deletes such a key. From then on it is invalid.
   *
   * @throws {TypeError} No key that is bound to no guild has this id.
   */
  deleteUnboundKey(id: string): void
  /** The requests to either operation, with whichever key, oldest first; the latest, as `keepRequests` says. */
  readonly requests: LoggedRequest[]
  /** Saves everything as it is now: guilds, transactions, keys, faults, use of the rate limit, logs. */
  snapshot(): Snapshot
  /**
   * Restores everything to what it was; guilds created since are gone and their keys invalid.
   *
   * @throws {TypeError} The snapshot is not one of this mock.
   */
  restore(snapshot: Snapshot): void
  /** Restores everything to how the mock was created. Cheap enough to call before each test. */
  reset(): void
}

/**
 * The API key of the first guild of the first mock in a process unless configured otherwise, so that scripts can contain
 * it. Further mocks have a number behind it: clients with the same key share a throttle, and tests should not wait for
 * each other.
 */
export const defaultApiKey = 'guild-ledger-mock-key'
let mocks = 0

const endOfTime = '9999-12-31T23:59:59.999Z'

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

  const createGuild = (given: GuildOptions = {}): Guild => {
    const guildOptions = checkedGuildOptions(given)
    const id = `guild-${guilds.size + 1}`
    const inherited = { seed: seed + guilds.size, rateLimit, effective, keepRequests, loadFaker }
    const state = createGuildState(id, guildOptions, inherited)
    const details: KeyDetails = { name: `first key of ${id}`, scopes: [requiredScope], expiresAt: endOfTime }
    const { value } = keys.create(id, details, now(), guildOptions.apiKey)
    guilds.set(id, state)
    const guild = createGuildOf(state, keys, now, value, connection)
    guildOf.set(state, guild)
    return guild
  }

  const engine = withWait(createRouter(createService({ keys, guilds, now, effective, log, explain, trace })), wait)
  const connection = { origin, fetch: createFetch(engine, origin) }
  const guild = createGuild({ transactions: defaultTransactions, apiKey: defaultApiKey + suffix, ...firstGuild })
  const snapshots = createSnapshots({ guilds, keys, log, effective })
  const beginning = snapshots.take()
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
    createUnboundKey: (details) => keys.create(null, details, now()),
    get unboundKeys() {
      return keys.of(null)
    },
    deleteUnboundKey: (id) => keys.delete(id, null),
    get requests() {
      return log.requests()
    },
    snapshot: () => snapshots.take(),
    restore: (snapshot) => snapshots.restore(snapshot),
    reset: () => snapshots.restore(beginning),
  }
  return withWait(ledger, wait)
}
