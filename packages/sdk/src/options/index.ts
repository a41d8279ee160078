export type { AppInfo } from './user-agent.ts'
export type { GuildLedgerOptions } from './client-options.ts'
export { clientSettings } from './settings.ts'
