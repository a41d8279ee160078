/** A guild as a test handles it. */
export { checkedSubscription, createGuildHandle } from './create-guild-handle.ts'
export type { Guild } from './guild.ts'
