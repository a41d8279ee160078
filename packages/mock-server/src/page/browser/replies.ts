/** What the admin API says of a guild. */
export interface GuildReply {
  readonly id: string
  readonly subscription: string
  readonly rateLimit: number | 'off'
  readonly assumptions: Readonly<Record<string, unknown>>
  readonly keys: number
  readonly transactions: number
}

/** Where the admin API has a guild. */
export const pathOf = (guildId: string): string => `guilds/${encodeURIComponent(guildId)}`

/** What the admin API says of its clock. */
export interface ClockReply {
  /** ISO 8601, UTC. */
  readonly now: string
  readonly frozen: boolean
}

/** What is left of an error when only its sentence matters. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
