import { limits, requiredScope } from '@guild-ledger/sdk/contract'
import { createReadings, type Assumptions } from '../assumptions/index.ts'
import { createFetch } from '../carriers/fetch.ts'
import { waitByTimer, type Wait } from '../deliver.ts'
import { createEngine, type Engine } from '../engine.ts'
import { createGuildHandle, type Guild } from '../guild/index.ts'
import { checkedRateLimit } from '../rate-limit/index.ts'
import { createRequestLog, defaultKept, type LoggedRequest } from '../request-log/index.ts'
import type { Faker } from '../seed.ts'
import { createService } from '../service.ts'
import { createKeys, type ApiKey, type CreatedKey, type GuildState, type KeyDetails } from '../store/index.ts'
import { createGuildState } from './guild-state.ts'
import {
  checkedCount,
  checkedFunction,
  checkedOrigin,
  guildOptions,
  known,
  mockOptions,
  type GuildOptions,
  type MockLedgerOptions,
} from './options.ts'
import { createSnapshots, type Snapshot } from './snapshots.ts'

/** The service, without anything of MSW in it. */
export interface Ledger extends Engine {
  /** Key of the first guild. */
  readonly apiKey: string
  /** Base URL of `fetch` and of the handlers, without a slash at the end. */
  readonly origin: string
  /** Answers requests to `origin`, without a network. Others are refused with status 421 and a message that says so. */
  readonly fetch: typeof fetch
  /** The first guild. */
  readonly guild: Guild
  /** All guilds, oldest first. */
  readonly guilds: Guild[]
  /**
   * The readings in force where a guild has none of its own, and for keys that are bound to none. The first guild starts
   * without any of its own.
   */
  readonly assumptions: Assumptions
  /**
   * Takes other readings from now on, for every guild that has none of its own; those not named stay.
   *
   * @throws {TypeError} A key is unknown or a value is not allowed; then none is changed.
   */
  assume(changes: Partial<Assumptions>): void
  /**
   * Creates a guild with data, keys, assumptions, faults, rate limit and log of its own.
   *
   * @throws {TypeError} An option is unknown or wrong; then no guild is created.
   */
  createGuild(options?: GuildOptions): Guild
  /**
   * Creates a key that is bound to no guild, to meet `No guild ID provided`. Spec: Errors.
   *
   * @throws {TypeError} A detail is missing or wrong, or the expiry is in the past.
   */
  createUnboundKey(details: KeyDetails): CreatedKey
  /** The keys that are bound to no guild, without their values. */
  readonly unboundKeys: ApiKey[]
  /**
   * Deletes such a key. From then on it is an invalid key.
   *
   * @throws {TypeError} No key that is bound to no guild has this id.
   */
  deleteUnboundKey(id: string): void
  /** What was asked of either operation, with whichever key, oldest first, as far as `keepRequests` goes back. */
  readonly requests: LoggedRequest[]
  /** Remembers everything as it is now: guilds, rows, keys, faults, use of the rate limit, logs. */
  snapshot(): Snapshot
  /**
   * Brings everything back to what it was; guilds created since are gone and their keys invalid.
   *
   * @throws {TypeError} The snapshot is not of this mock.
   */
  restore(snapshot: Snapshot): void
  /** Brings everything back to how the mock was created. Cheap enough for before each test. */
  reset(): void
}

/**
 * The key of the first guild of the first mock in a process unless told otherwise, so that scripts can have it written
 * down. Further mocks have a number behind it: clients with the same key share a throttle, and tests should not wait
 * for each other.
 */
export const defaultApiKey = 'guild-ledger-mock-key'
let mocks = 0

const endOfTime = '9999-12-31T23:59:59.999Z'

/** Ends early instead of failing, as timers of Node do when their signal aborts. */
const quietly =
  (wait: Wait): Wait =>
  async (ms, signal) =>
    wait(ms, signal).catch(() => {})

/**
 * Creates the service with one guild. Its rows are made up when they are first looked at.
 *
 * @throws {TypeError} An option is unknown or wrong.
 */
export const createLedger = (options: MockLedgerOptions, loadFaker: () => Faker): Ledger => {
  known(options, mockOptions)
  const {
    origin: givenOrigin = 'https://ledger.test',
    now: givenNow = () => Date.now(),
    wait = waitByTimer,
    explain = false,
    keepRequests = defaultKept,
    assumptions,
    ...first
  } = options
  const now = checkedFunction('now', givenNow, 'Date.now')
  checkedFunction('wait', wait, 'one that sleeps')
  const origin = checkedOrigin(givenOrigin)
  checkedCount('keepRequests', keepRequests)
  const readings = createReadings(assumptions)
  const { rateLimit = limits.requestsPerSecond, seed = 1 } = first
  checkedRateLimit(rateLimit)
  checkedCount('seed', seed)
  mocks += 1
  const suffix = mocks === 1 ? '' : `-${mocks}`
  const keys = createKeys(`${seed}${suffix}`)
  const guilds = new Map<string, GuildState>()
  const handles = new WeakMap<GuildState, Guild>()
  const log = createRequestLog(keepRequests)

  const createGuild = (given: GuildOptions = {}): Guild => {
    known(given, guildOptions)
    const id = `guild-${guilds.size + 1}`
    const state = createGuildState(id, given, {
      seed: seed + guilds.size,
      rateLimit,
      readings,
      keepRequests,
      loadFaker,
    })
    const details: KeyDetails = { name: `first key of ${id}`, scopes: [requiredScope], expiresAt: endOfTime }
    const { value } = keys.create(id, details, now(), given.apiKey)
    guilds.set(id, state)
    const handle = createGuildHandle(state, keys, now, value)
    handles.set(state, handle)
    return handle
  }

  const engine = createEngine(createService({ keys, guilds, now, readings, log, explain }), quietly(wait))
  const guild = createGuild({ transactions: 500, apiKey: defaultApiKey + suffix, ...first })
  const snapshots = createSnapshots({ guilds, keys, log, readings })
  const beginning = snapshots.take()
  return {
    ...engine,
    apiKey: guild.apiKey,
    origin,
    fetch: createFetch(engine, origin),
    guild,
    get guilds() {
      return [...guilds.values()].flatMap((state) => handles.get(state) ?? [])
    },
    get assumptions() {
      return readings.inForce
    },
    assume: (changes) => readings.change(changes),
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
}
