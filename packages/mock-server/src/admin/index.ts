/**
 * The objects of a mock ledger over HTTP, under `/_mock/`.
 *
 * @module @guild-ledger/mock-server/admin
 */
export { createAdmin, isLoopback, type AdminOptions } from './create-admin.ts'
export { createClock, type Clock } from './clock.ts'
