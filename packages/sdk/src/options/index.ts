export { callOptions, checkOptions } from './check.ts'
export type { GuildLedgerOptions } from './client-options.ts'
export { settingsOf } from './settings.ts'
