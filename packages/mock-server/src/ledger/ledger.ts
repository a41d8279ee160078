import type { Handlers } from '../adapters/msw.ts'
import type { Coverage } from '../coverage/coverage.ts'
import type { Assumptions } from '../assumptions/values.ts'
import type { Engine } from '../http.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import type { Stub, StubResponse } from '../service/stubs.ts'
import type { ApiKey, CreatedKey, KeyDetails } from '../store/keys.ts'
import type { MockClientOptions } from './client-options.ts'
import type { RequestExpectations } from './expectations.ts'
import type { Guild } from './guild.ts'
import type { GuildOptions } from './options.ts'
import type { Snapshot } from './snapshots.ts'

/** A mock of the Guild Ledger Transactions Service. */
export interface MockLedger extends Engine, RequestExpectations {
  /** API key of the first guild. */
  readonly apiKey: string
  /** Base URL of `fetch` and of the handlers, without a slash at the end. */
  readonly origin: string
  /** Responds to requests to `origin`, without a network. Other requests get status 421 and a message that says so. */
  readonly fetch: typeof fetch
  /**
   * For MSW: `setupServer(...mock.handlers)` in Node, `setupWorker(...mock.handlers)` in a browser. MSW is loaded when
   * this is first read.
   *
   * `setupServer` does nothing in Bun and Deno: requests go out to the network. It also keeps about 45 KB for each
   * request. `mock.fetch` has neither problem.
   */
  readonly handlers: Handlers
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
   * Removes a guild that was created later; its API keys are invalid from then on.
   *
   * @throws {TypeError} There is no guild with this id, or it is the first one, which stays.
   */
  removeGuild(id: string): void
  /**
   * Creates an API key that is bound to no guild, for `No guild ID provided`. Spec: Errors.
   *
   * @throws {TypeError} A detail is unknown, missing or not allowed, or another key has the value.
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
  /**
   * Sets what a path responds with that the spec only names, such as `/guild/discharges`: for every guild, after the checks
   * of the key and the rate limit. It replaces an earlier stub of the same path.
   *
   * @throws {TypeError} The path or the response is not valid, or the mock responds to the path itself.
   */
  stub(path: string, response: StubResponse): void
  /** The stubs, in the order in which their paths were first set. A copy. */
  readonly stubs: Stub[]
  /** Removes all stubs. */
  clearStubs(): void
  /**
   * The requests to every path, with whichever key, oldest first: those with an unknown key or to an unknown path, too. The
   * latest, as `keepRequests` says.
   */
  readonly requests: LoggedRequest[]
  /**
   * What all requests have covered since the mock was created: endpoints, parameters, documented errors, and the assumptions
   * that responses depended on. `reset` does not clear it.
   *
   * @throws {TypeError} The mock was created without the option `explain`.
   */
  coverage(): Coverage
  /** Saves everything as it is now: guilds, transactions, keys, stubs, faults, use of the rate limit, logs. */
  snapshot(): Snapshot
  /**
   * Restores everything to what it was; guilds created since are gone and their keys invalid, those removed since are back.
   *
   * @throws {TypeError} The snapshot is not one of this mock.
   */
  restore(snapshot: Snapshot): void
  /**
   * Restores everything to how the mock was created, which removes the guilds of tests that run at the same time: there,
   * use `guild.reset()`. Cheap enough to call before each test.
   */
  reset(): void
}
