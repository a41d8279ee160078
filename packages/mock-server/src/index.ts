import { createHandlers, type Handlers } from './carriers/msw.ts'
import { createLedger, type Ledger, type MockLedgerOptions } from './mock-ledger/index.ts'

/** The Guild Ledger Transactions Service on your desk. */
export interface MockLedger extends Ledger {
  /** For MSW: `setupServer(...mock.handlers)` in Node, `setupWorker(...mock.handlers)` in a browser. */
  readonly handlers: Handlers
}

/**
 * Creates a mock of the service with one guild and seeded transactions.
 *
 * @throws {TypeError} An option is unknown or wrong.
 */
export const createMockLedger = (options: MockLedgerOptions = {}): MockLedger => {
  const ledger = createLedger(options)
  // Not a spread: that would freeze what getters such as `requests` said at this moment.
  return Object.assign(ledger, { handlers: createHandlers(ledger, ledger.origin) })
}

export { assumptionRows, type AssumptionKey, type AssumptionRow, type Assumptions } from './assumptions/index.ts'
export type { Asked, Engine, Reply } from './engine.ts'
export { createTransactionFactory } from './factory.ts'
export type { Fault, FaultKind } from './faults/index.ts'
export type { Guild } from './guild/index.ts'
export { defaultApiKey, type GuildOptions, type MockLedgerOptions, type Snapshot } from './mock-ledger/index.ts'
export type { RateLimit } from './rate-limit/index.ts'
export type { Conduct, LoggedRequest, RequestPattern } from './request-log/index.ts'
export type { ApiKey, CreatedKey, KeyDetails, Scope, Subscription, When } from './store/index.ts'
