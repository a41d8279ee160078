import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'
import type { Fault, ScriptedFault } from '../faults/index.ts'
import type { RateLimit } from '../rate-limit/index.ts'
import type { Conduct, LoggedRequest, RequestPattern } from '../request-log/index.ts'
import type { ApiKey, CreatedKey, KeyDetails, Subscription, When } from '../store/index.ts'

/** One guild of a mock ledger: its data, its keys, what was asked of it, and what goes wrong for it. */
export interface Guild {
  /** Identifier of the guild, for the admin API and for people. It is in no reply of the service. */
  readonly id: string
  /** Value of the guild's first key. It may do all there is and never expires. */
  readonly apiKey: string
  /**
   * The guild's plan. With `'none'` its keys are refused and no more can be created. Spec: Authentication, 2.
   *
   * @default 'developer'
   */
  subscription: Subscription
  /** Requests a second, or `'off'`. Setting it forgets what was used so far. Spec: Limits. */
  rateLimit: RateLimit
  /** The readings in force, all of them: the guild's own, else those of the mock. */
  readonly assumptions: Assumptions
  /**
   * Takes other readings from now on; those not named stay. Where it changes how requests are counted against the rate
   * limit, what was used so far is forgotten.
   *
   * @throws {TypeError} A key is unknown or a value is not allowed; then none is changed.
   */
  assume(changes: Partial<Assumptions>): void
  /** All transactions as they entered the ledger, `createdAt` to the millisecond. A copy: changing it changes nothing. */
  readonly transactions: LedgerEntry[]
  /**
   * Appends transactions.
   *
   * @throws {TypeError} One breaks the contract or its `transactionId` is taken; then none is added.
   */
  add(rows: readonly LedgerEntry[]): void
  /**
   * Appends transactions from text with a JSON object a line, from replies of the service, or from either already parsed.
   *
   * @returns How many there were.
   * @throws {TypeError} Something is no JSON, breaks the contract or has a `transactionId` that is taken; the message
   * names the line or the place, and none is added.
   */
  load(given: unknown): number
  /**
   * Lets transactions enter the ledger later: at a time of the mock's clock, or between two requests. With
   * `{ afterRequests: 1 }` they are there from the second request on.
   *
   * @throws {TypeError} `when` is wrong, or `add` would refuse the rows; then none is scheduled.
   */
  schedule(rows: readonly LedgerEntry[], when: When): void
  /**
   * Removes transactions.
   *
   * @throws {TypeError} There is no transaction with one of the ids; then none is removed.
   */
  remove(transactionIds: readonly string[]): void
  /**
   * Creates a key for this guild. Its value is shown this once. Spec: Authentication, 3 to 5.
   *
   * @throws {TypeError} A detail is missing or wrong, the expiry is in the past, or the guild may have no more keys.
   */
  createKey(details: KeyDetails): CreatedKey
  /**
   * Deletes a key. From then on it is an invalid key.
   *
   * @throws {TypeError} The guild has no key with this id.
   */
  deleteKey(id: string): void
  /** The guild's keys, without their values. */
  readonly keys: ApiKey[]
  /**
   * Scripts a failure. It meets requests that the key and the rate limit let through.
   *
   * @throws {TypeError} The description of the failure is wrong.
   */
  fail(fault: Fault): void
  /** Takes back all failures that were scripted. */
  recover(): void
  /**
   * The failures that were scripted, oldest first, each with how often it happened and is still to come; of those that
   * are over, about the last 1,000. A copy.
   */
  readonly faults: ScriptedFault[]
  /** What was asked with the guild's keys, oldest first, as far as the option `keepRequests` of the mock goes back. */
  readonly requests: LoggedRequest[]
  /**
   * Passes if so many requests were as described; without a description, if there were so many in all.
   *
   * @throws {Error} There were fewer or more. The message lists what was asked, ready to be read in a test report.
   * @throws {TypeError} The count or the description is wrong.
   */
  expectRequests(count: number, pattern?: RequestPattern): void
  /** How the client behaved, for each key that was used: too fast, back too early, the same page twice. */
  conduct(): Conduct[]
}
