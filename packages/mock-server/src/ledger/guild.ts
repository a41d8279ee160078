import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import type { Fault } from '../fault.ts'
import type { ScriptedFault } from '../faults/faults.ts'
import type { RateLimit } from '../rate-limit/rate-limit.ts'
import type { ClientAudit } from '../request-log/audit.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import type { Subscription } from '../answer/key-error.ts'
import type { ApiKey, CreatedKey, KeyDetails } from '../store/keys.ts'
import type { Schedule } from '../store/scheduled-inserts.ts'
import type { MockClientOptions } from './client-options.ts'
import type { RequestExpectations } from './expectations.ts'

/** One guild of a mock ledger: its transactions, API keys, faults, and the requests that were sent for it. */
export interface Guild extends RequestExpectations {
  /** Identifier of the guild, for messages and the admin API. It is in no response of the service. */
  readonly id: string
  /** Value of the guild's first API key, which has every scope and does not expire. */
  readonly apiKey: string
  /**
   * Options for a client in tests, with the first API key of this guild: `new GuildLedger(guild.clientOptions)`. The
   * client reaches the mock through `mock.fetch`, without a throttle and without waits before retries. For another way to
   * connect, replace some: `{ ...guild.clientOptions, baseUrl: server.url, fetch }`.
   */
  readonly clientOptions: MockClientOptions
  /**
   * The guild's plan. With `'none'` its API keys are rejected and no more can be created. Spec: Authentication, 2.
   *
   * @default 'developer'
   */
  subscription: Subscription
  /** Requests per second, or `'off'`. Setting it clears what was used so far. Spec: Limits. */
  rateLimit: RateLimit
  /** The current value of every assumption: the guild's own, else that of the mock. */
  readonly assumptions: Assumptions
  /**
   * Changes the value of some assumptions; the others stay. Where that changes how requests are counted against the rate
   * limit, what was used so far is cleared.
   *
   * @throws {TypeError} A key is unknown or a value is not allowed; then nothing changes.
   */
  assume(changes: Partial<Assumptions>): void
  /** All transactions in the order in which they entered the ledger, `createdAt` to the millisecond. A copy. */
  readonly transactions: LedgerEntry[]
  /**
   * Appends transactions. What one lacks is filled in: a new id, the user `user-1`, an item, and a time one second after
   * the newest transaction.
   *
   * @returns The transactions as they were added.
   * @throws {TypeError} One breaks the contract, has an unknown field, or its `transactionId` is taken, or the guild was
   * removed; then none is added.
   */
  add(transactions: readonly Partial<LedgerEntry>[]): LedgerEntry[]
  /**
   * Appends transactions as other programs write them: a JSON object on each line, a JSON array, responses of the service
   * (such as all pages of a list), or a HAR file with such responses. They may be text, bytes with any byte order mark, or
   * parsed. Of transactions that several responses have, the last counts.
   *
   * @returns How many there were.
   * @throws {TypeError} Something is not JSON, breaks the contract or has a `transactionId` that is taken; the message
   * has line and column, and the path. None is added.
   */
  load(given: unknown): number
  /**
   * All transactions as text, a JSON object on each line, for a file that `load` and the option `--data` read; an empty
   * array if there are none.
   */
  export(): string
  /**
   * Lets transactions enter the ledger later: at a time of the mock's clock, or between two requests. With
   * `{ afterRequests: 1 }` they are there from the second request on.
   *
   * @throws {TypeError} `schedule` is not valid, or `add` would not accept the transactions; then none is scheduled.
   */
  schedule(transactions: readonly Partial<LedgerEntry>[], schedule: Schedule): void
  /**
   * Removes transactions.
   *
   * @throws {TypeError} There is no transaction with one of the ids; then none is removed.
   */
  remove(transactionIds: readonly string[]): void
  /**
   * Creates an API key for this guild. Its value is returned only here. Spec: Authentication, 3 to 5.
   *
   * @throws {TypeError} A detail is unknown, missing or not allowed, another key has the value, or the guild may have no
   * more keys.
   */
  createKey(details: KeyDetails): CreatedKey
  /**
   * Deletes an API key. From then on it is invalid.
   *
   * @throws {TypeError} The guild has no key with this id.
   */
  deleteKey(id: string): void
  /** The guild's API keys, without their values. */
  readonly keys: ApiKey[]
  /**
   * Scripts a fault. It meets requests that pass the checks of the key and the rate limit, and only those whose response it
   * changes.
   *
   * @throws {TypeError} The fault is not valid, or can never happen: no such parameter, key or response field.
   */
  fault(fault: Fault): void
  /** Removes all faults that were scripted. */
  clearFaults(): void
  /**
   * The faults that were scripted and not cleared, oldest first, each with how often it happened and will still happen. A
   * copy.
   */
  readonly faults: ScriptedFault[]
  /**
   * The faults that were scripted, not cleared, and never happened: a test that passes with one does not test what it
   * seems to. `expect(guild.unusedFaults).toEqual([])` at the end of a test fails then. Those with a `probability` are left out.
   */
  readonly unusedFaults: ScriptedFault[]
  /**
   * The requests sent with the guild's API keys to any path, oldest first; the latest, as the option `keepRequests` says.
   */
  readonly requests: LoggedRequest[]
  /**
   * What clients did wrong, a report for each API key that was used: too fast, retried too early or without back-off,
   * duplicate requests. A client that retries and watches as it should has no finding.
   */
  audit(): ClientAudit[]
  /**
   * Restores the guild to how it was created: transactions, keys, assumptions, faults, rate limit and log. Other guilds
   * stay as they are, so tests that run at the same time do not disturb each other.
   */
  reset(): void
}
