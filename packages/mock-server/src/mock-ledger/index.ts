/** The service with its guilds, whichever door it is reached through. */
export { createLedger, defaultApiKey, type Ledger } from './mock-ledger.ts'
export type { GuildOptions, MockLedgerOptions } from './options.ts'
export type { Snapshot } from './snapshots.ts'
