/** Everything a caller can catch: one tree, distinguished by `code` or by class. */
export { GuildLedgerError, type AnyGuildLedgerError } from './any.ts'
export * from './api.ts'
export { isTransient, withFacts, withPage } from './base.ts'
export * from './call-site.ts'
export * from './codes.ts'
export * from './failures.ts'
export * from './request-error.ts'
export { statusFacts } from './statuses.ts'
