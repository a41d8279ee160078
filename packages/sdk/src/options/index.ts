export type { GuildLedgerOptions } from './client-options.ts'
export { settingsOf } from './settings.ts'
