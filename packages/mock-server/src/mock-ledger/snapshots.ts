import type { Readings } from '../assumptions/index.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { GuildState, Keys } from '../store/index.ts'

/** A mock ledger as it was at some moment. What is in it is of no use to anyone but `restore` of the same mock. */
export interface Snapshot {
  /** The guilds there were. */
  readonly guildIds: readonly string[]
}

interface World {
  readonly guilds: Map<string, GuildState>
  readonly keys: Keys
  readonly log: RequestLog
  /** Those of the mock as a whole. */
  readonly readings: Readings
}

/** Takes a world down and brings it back. Rows are shared, not copied, so both cost next to nothing. */
export interface Snapshots {
  take(): Snapshot
  /**
   * @throws {TypeError} The snapshot is not of this world.
   */
  restore(snapshot: Snapshot): void
}

/** Returns what brings the guild back to what it is now. */
const remembering = (guild: GuildState): (() => void) => {
  const { subscription } = guild
  const restorers = [guild.readings, guild.rows, guild.arrivals, guild.faults, guild.limiter, guild.log].map((part) => {
    // Each part takes back what it gave away, which no type of a list can say.
    const { state, restore } = part as { state: () => unknown; restore: (state: unknown) => void }
    const kept = state()
    return () => restore(kept)
  })
  return () => {
    guild.subscription = subscription
    for (const restore of restorers) restore()
  }
}

export const createSnapshots = ({ guilds, keys, log, readings }: World): Snapshots => {
  const restorers = new WeakMap<Snapshot, () => void>()
  return {
    take() {
      const guildsThen = [...guilds]
      const restoreGuilds = guildsThen.map(([, guild]) => remembering(guild))
      const keysThen = keys.state()
      const logThen = log.state()
      const readingsThen = readings.state()
      const snapshot = Object.freeze({ guildIds: Object.freeze(guildsThen.map(([id]) => id)) })
      restorers.set(snapshot, () => {
        guilds.clear()
        for (const [id, guild] of guildsThen) guilds.set(id, guild)
        for (const restore of restoreGuilds) restore()
        keys.restore(keysThen)
        log.restore(logThen)
        readings.restore(readingsThen)
      })
      return snapshot
    },
    restore(snapshot) {
      const restore = restorers.get(snapshot)
      if (!restore) throw new TypeError('restore takes what snapshot() of the same mock returned, and nothing else.')
      restore()
    },
  }
}
