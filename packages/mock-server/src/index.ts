import { createHandlers, type Handlers } from './carriers/msw.ts'
import { createLedger, type Ledger, type MockLedgerOptions } from './mock-ledger.ts'

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
  return { ...ledger, handlers: createHandlers(ledger, ledger.origin) }
}

export { assumptionRows, type AssumptionKey, type AssumptionRow, type Assumptions } from './assumptions/index.ts'
export type { Asked, Engine, Reply } from './engine.ts'
export type { Fault, FaultKind } from './faults.ts'
export type { Guild } from './guild.ts'
export { defaultApiKey, type GuildOptions, type MockLedgerOptions } from './mock-ledger.ts'
export type { ApiKey, CreatedKey, KeyDetails, Scope, Subscription } from './store/index.ts'
