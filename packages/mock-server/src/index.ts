/**
 * A mock of the Guild Ledger Transactions Service.
 *
 * @module @guild-ledger/mock-server
 */
import { createMockLedgerWith } from './ledger/create-ledger.ts'
import type { MockLedger } from './ledger/ledger.ts'
import type { MockLedgerOptions } from './ledger/options.ts'
import { lazyLibraries } from './libraries.ts'

/**
 * Creates a mock of the service with one guild and seeded transactions.
 *
 * @throws {TypeError} An option is unknown or not allowed.
 */
export const createMockLedger = (options?: MockLedgerOptions): MockLedger =>
  createMockLedgerWith(lazyLibraries, options)

export type { MockLedger }
export { assumptionDefinitions, type AssumptionKey, type Assumptions } from './assumptions/values.ts'
export type { AssumptionDefinition } from './assumptions/definition.ts'
export type { Coverage, Covered } from './coverage/coverage.ts'
export type { Distribution, Fault } from './fault.ts'
export type { ScriptedFault } from './faults/faults.ts'
export type { Engine, MockRequest, MockResponse, RejectedBy } from './http.ts'
export { defaultApiKey } from './ledger/create-ledger.ts'
export type { Guild } from './ledger/guild.ts'
export type { GuildOptions, MockLedgerOptions } from './ledger/options.ts'
export type { MockClientOptions } from './ledger/client-options.ts'
export type { Snapshot } from './ledger/snapshots.ts'
export { MockInternalError } from './internal-error.ts'
export type { RateLimit } from './rate-limit/rate-limit.ts'
export type { ClientAudit } from './request-log/audit.ts'
export type { LoggedRequest } from './request-log/request-log.ts'
export type { RequestCount } from './request-log/expect-requests.ts'
export type { RequestMatcher } from './request-log/format-requests.ts'
export type { WaitOptions } from './request-log/wait-for-requests.ts'
export { createTransactionFactory, type TransactionFactoryOptions } from './seed/transaction-factory.ts'
export type { Subscription } from './answer/key-error.ts'
export type { Stub, StubResponse } from './service/stubs.ts'
export type { ApiKey, CreatedKey, KeyDetails, Scope } from './store/keys.ts'
export type { Schedule } from './store/scheduled-inserts.ts'
