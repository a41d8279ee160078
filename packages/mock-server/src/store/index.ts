/** Guilds, their keys and their rows, in memory. */
export { createArrivals, type When } from './arrivals.ts'
export { flawOf } from './check-rows.ts'
export type { Guilds, GuildState, Subscription } from './guilds.ts'
export { createKeys, type ApiKey, type CreatedKey, type KeyDetails, type Keys, type Scope } from './keys.ts'
export { createRows, type Rows } from './rows.ts'
export { createLineReader, rowsFrom } from './rows-from.ts'
export type { Filter, Selection, Sort, SortField } from './select.ts'
export { sumOf } from './sum.ts'
