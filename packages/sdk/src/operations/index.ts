export { givenOf } from './check-query.ts'
export { customPath } from './custom-path.ts'
export type { Operation } from './operation.ts'
export { guildTransactions, identityOf, userTransactions, type GuildPage, type UserPage } from './transactions.ts'
