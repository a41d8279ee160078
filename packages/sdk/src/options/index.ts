export type { GuildLedgerOptions } from './client-options.ts'
export type { AppInfo } from './user-agent.ts'
export { clientSettings } from './settings.ts'
