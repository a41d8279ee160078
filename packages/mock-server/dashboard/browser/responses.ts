/** A guild in responses of the admin API. */
export interface GuildBody {
  readonly id: string
  readonly subscription: string
  readonly rateLimit: number | 'off'
  readonly assumptions: Readonly<Record<string, unknown>>
  readonly keys: number
  readonly transactions: number
}

/** A guild in the response that created it. */
export interface CreatedGuildBody extends GuildBody {
  /** The value of its key. */
  readonly apiKey: string
}

/** The clock in responses of the admin API. */
export interface ClockBody {
  /** ISO 8601, UTC. */
  readonly now: string
  readonly frozen: boolean
}

/** Path of a guild in the admin API. */
export const guildPath = (guildId: string): string => `guilds/${encodeURIComponent(guildId)}`

/** The message of an error, as the dashboard shows it. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
