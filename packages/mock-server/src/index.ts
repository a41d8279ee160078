/**
 * A mock of the Guild Ledger Transactions Service.
 *
 * @module @guild-ledger/mock-server
 */
import { createMockLedgerWith, type MockLedger, type MockLedgerOptions } from './ledger/index.ts'
import { lazyLibraries } from './libraries.ts'

/**
 * Creates a mock of the service with one guild and seeded transactions.
 *
 * @throws {TypeError} An option is unknown or not allowed.
 */
export const createMockLedger = (options?: MockLedgerOptions): MockLedger =>
  createMockLedgerWith(lazyLibraries, options)

export type { MockLedger }
export {
  assumptionDefinitions,
  type AssumptionDefinition,
  type AssumptionKey,
  type Assumptions,
} from './assumptions/index.ts'
export type { Coverage, Covered } from './coverage/index.ts'
export type { Distribution, Fault, ScriptedFault } from './faults/index.ts'
export type { Engine, MockRequest, MockResponse, RejectedBy } from './http.ts'
export {
  defaultApiKey,
  type Guild,
  type GuildOptions,
  type MockClientOptions,
  type MockLedgerOptions,
  type Snapshot,
} from './ledger/index.ts'
export { MockInternalError } from './internal-error.ts'
export type { RateLimit } from './rate-limit/index.ts'
export type { ClientAudit, LoggedRequest, RequestCount, RequestMatcher, WaitOptions } from './request-log/index.ts'
export { createTransactionFactory, type TransactionFactoryOptions } from './seed/transaction-factory.ts'
export type { Subscription } from './answer/key-error.ts'
export type { Stub, StubResponse } from './service/stubs.ts'
export type { ApiKey, CreatedKey, KeyDetails, Schedule, Scope } from './store/index.ts'
