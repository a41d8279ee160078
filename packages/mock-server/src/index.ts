/**
 * The Guild Ledger Transactions Service on your desk.
 *
 * @module @guild-ledger/mock-server
 */
import { lazyLibraries } from './carriers/libraries.ts'
import { mockLedgerCreator } from './create-mock-ledger.ts'

/**
 * Creates a mock of the service with one guild and seeded transactions.
 *
 * @throws {TypeError} An option is unknown or wrong.
 */
export const createMockLedger = mockLedgerCreator(lazyLibraries)

export * from './public.ts'
