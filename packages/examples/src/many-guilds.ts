// A bot in many guilds: a key is bound to one guild, so there is one key and one client for each.
//
// GUILD_LEDGER_BASE_URL=… GUILD_KEYS='{"Tavern":"…","Harbour":"…"}' node many-guilds.ts
import { createThrottle, GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { adviceAbout } from './errors.ts'
import { leaderboard } from './leaderboard.ts'

/** The clients of a bot, by the bot's own name for the guild. */
export interface Guilds {
  /** The client of a guild; undefined if there is no key for it. */
  of(name: string): GuildLedger | undefined
  names(): string[]
  /** Takes a guild's key, also a new one in place of an old one: from the next call on it counts. */
  join(name: string, apiKey: string): void
  leave(name: string): void
}

/**
 * Clients are made once and kept: those of one key share a throttle, so ten of them are no faster than one.
 *
 * Whether the service counts requests by key, by guild or by address is not shown. By key or guild each client has its
 * own ten a second, which is what you get here. If it turns out to be by address (429 although each client keeps to
 * its ten), give all of them one throttle: `manyGuilds({ throttle: createThrottle() })`.
 */
export const manyGuilds = (options: Omit<GuildLedgerOptions, 'apiKey'> = {}): Guilds => {
  const clients = new Map<string, GuildLedger>()
  return {
    of: (name) => clients.get(name),
    names: () => [...clients.keys()],
    join: (name, apiKey) => void clients.set(name, new GuildLedger({ ...options, apiKey })),
    leave: (name) => void clients.delete(name),
  }
}

/** What a guild has spent in all, or why that cannot be said. */
export type Spending = { readonly guild: string } & ({ readonly spent: number } | { readonly problem: string })

/** Asks all guilds side by side: one whose key has been deleted does not spoil it for the others. */
export const spendingOfAll = async (guilds: Guilds): Promise<Spending[]> =>
  Promise.all(
    guilds.names().map(async (guild): Promise<Spending> => {
      const ledger = guilds.of(guild)
      if (!ledger) return { guild, problem: 'It has left.' }
      try {
        const { bySource } = await leaderboard(ledger)
        return { guild, spent: bySource.reduce((sum, [, value]) => sum + value, 0) }
      } catch (error) {
        const advice = adviceAbout(error)
        if (!advice) throw error
        return { guild, problem: advice.tell }
      }
    }),
  )

if (import.meta.main) {
  // Keys come from a secret store, one for each guild, and never stand in code or logs.
  const keys = JSON.parse(process.env.GUILD_KEYS ?? '{}') as Record<string, string>
  const throttle = process.env.ONE_THROTTLE ? createThrottle() : undefined
  const guilds = manyGuilds({ throttle })
  for (const [name, apiKey] of Object.entries(keys)) guilds.join(name, apiKey)
  for (const row of await spendingOfAll(guilds)) {
    console.log(`${row.guild}: ${'spent' in row ? row.spent.toFixed(2) : row.problem}`)
  }
}
