/** The objects of a mock ledger over HTTP, under `/_mock/`. */
export { createAdmin, isLoopback, type AdminOptions } from './create-admin.ts'
export { createClock, type Clock } from './clock.ts'
