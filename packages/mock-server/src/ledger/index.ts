/** The mock ledger and its guilds, as tests use them. */
export type { MockClientOptions } from './client-options.ts'
export type { Guild } from './guild.ts'
export { createMockLedgerWith, defaultApiKey } from './create-ledger.ts'
export type { MockLedger } from './ledger.ts'
export { checkedSubscription, guildChecks, maxSeeded, type GuildOptions, type MockLedgerOptions } from './options.ts'
export type { Snapshot } from './snapshots.ts'
