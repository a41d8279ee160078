import { createMockLedgerWith } from './ledger/create-ledger.ts'
import type { MockLedger } from './ledger/ledger.ts'
import type { MockLedgerOptions } from './ledger/options.ts'
import { bundledLibraries } from './libraries.browser.ts'

export * from './index.ts'

/**
 * Creates a mock of the service with one guild and seeded transactions.
 *
 * @throws {TypeError} An option is unknown or not allowed.
 */
export const createMockLedger = (options?: MockLedgerOptions): MockLedger =>
  createMockLedgerWith(bundledLibraries, options)
