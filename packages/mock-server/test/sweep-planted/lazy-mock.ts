import type { MockLedger } from '@guild-ledger/mock-server'
import { createSmallMock } from './three-transactions.ts'

let mock: MockLedger | undefined

/** The mock of all files that import this one, where modules are not isolated. The first test that needs it creates it. */
export const lazyMock = (): MockLedger => (mock ??= createSmallMock())
