// A bot in many guilds. A key is bound to one guild, so the bot has one key and one client for each guild.
//
// GUILD_LEDGER_BASE_URL=… GUILD_KEYS='{"Tavern":"…","Harbour":"…"}' node many-guilds.ts
import { createThrottle, GuildLedger, sumOf, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { adviceFor } from './errors.ts'
import { leaderboard } from './leaderboard.ts'

/** Clients by the bot's name for the guild. */
export interface Guilds {
  /** Returns the client of a guild; undefined if there is no key for it. */
  of(name: string): GuildLedger | undefined
  names(): string[]
  /** Adds a guild or replaces its key; applies from the next call on. What runs with the old key is ended. */
  join(name: string, apiKey: string): void
  /** Ends what runs for a guild: watches quietly, the rest with the code `client_closed`. */
  leave(name: string): void
  /** Leaves all guilds, at the end of the bot. */
  leaveAll(): void
}

/**
 * Creates a client per guild and keeps it.
 *
 * Whether the rate limit applies per key, guild or address is unspecified. Here each client sends up to ten requests per
 * second, which is right for a limit per key or guild. If the limit applies per address (responses with status 429
 * although each client keeps its limit), share one throttle: `createGuilds({ throttle: createThrottle() })`.
 */
export const createGuilds = (options: Omit<GuildLedgerOptions, 'apiKey'> = {}): Guilds => {
  const clients = new Map<string, GuildLedger>()
  const leave = (name: string): void => {
    void clients.get(name)?.close() // else its watches would go on
    clients.delete(name)
  }
  return {
    of: (name) => clients.get(name),
    names: () => [...clients.keys()],
    join: (name, apiKey) => {
      leave(name)
      clients.set(name, new GuildLedger({ ...options, apiKey }))
    },
    leave,
    leaveAll: () => [...clients.keys()].forEach(leave),
  }
}

/** The total spending of a guild, or why it is not known. */
export type Spending = { readonly guild: string } & ({ readonly spent: number } | { readonly problem: string })

/** Queries all guilds in parallel. A guild whose key was deleted does not affect the others. */
export const listSpending = async (guilds: Guilds): Promise<Spending[]> =>
  Promise.all(
    guilds.names().map(async (guild): Promise<Spending> => {
      const ledger = guilds.of(guild)
      if (!ledger) return { guild, problem: 'The bot has left the guild.' }
      try {
        const { bySource } = await leaderboard(ledger)
        return { guild, spent: sumOf(bySource.map(([, value]) => value)) }
      } catch (error) {
        const advice = adviceFor(error)
        if (!advice) throw error
        return { guild, problem: advice.message }
      }
    }),
  )

if (import.meta.main) {
  // Keep the keys in a secret store, never in code or logs.
  const keys = JSON.parse(process.env.GUILD_KEYS ?? '{}') as Record<string, string>
  const throttle = process.env.ONE_THROTTLE ? createThrottle() : undefined
  const guilds = createGuilds({ throttle })
  for (const [name, apiKey] of Object.entries(keys)) guilds.join(name, apiKey)
  for (const spending of await listSpending(guilds)) {
    console.log(`${spending.guild}: ${'spent' in spending ? spending.spent.toFixed(2) : spending.problem}`)
  }
  guilds.leaveAll()
}
