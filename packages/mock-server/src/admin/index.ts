/**
 * The admin API: what the objects of a mock ledger do, over HTTP under `/_mock/`.
 *
 * @module @guild-ledger/mock-server/admin
 */
export { createAdmin, isLoopback, type AdminOptions } from './create-admin.ts'
export { createMockClock, type MockClock } from './clock.ts'
