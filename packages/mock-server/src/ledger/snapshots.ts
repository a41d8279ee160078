import type { GuildState } from '../service/guild-state.ts'

/** A mock ledger as it was at one time. Only `restore` of the same mock can use it. */
export interface Snapshot {
  /** The guilds there were. */
  readonly guildIds: readonly string[]
}

interface Restorable<State> {
  state(): State
  restore(state: State): void
}

/** Returns a function that restores the part to what it is now. */
const remember = <State>(part: Restorable<State>): (() => void) => {
  const state = part.state()
  return () => part.restore(state)
}

/** Returns a function that restores a guild to what it is now; not its keys, which are with those of the mock. */
export const rememberGuild = (guild: GuildState): (() => void) => {
  const { subscription, isLimitSet, effective, transactions, scheduled, faults, limiter, log } = guild
  const restorers = [
    remember(effective),
    remember(transactions),
    remember(scheduled),
    remember(faults),
    remember(limiter),
    remember(log),
  ]
  return () => {
    guild.subscription = subscription
    guild.isLimitSet = isLimitSet
    for (const restore of restorers) restore()
  }
}

/** Snapshots of guilds, and of the parts that they share. Transactions are shared, not copied: both cost next to nothing. */
export const createSnapshots = <States extends unknown[], One extends { readonly state: GuildState }>(
  guilds: Map<string, One>,
  shared: { readonly [Part in keyof States]: Restorable<States[Part]> },
) => {
  const restorers = new WeakMap<Snapshot, () => void>()
  return {
    take(): Snapshot {
      const entries = [...guilds]
      const parts = [...entries.map(([, { state }]) => rememberGuild(state)), ...shared.map((part) => remember(part))]
      const snapshot = Object.freeze({ guildIds: Object.freeze(entries.map(([id]) => id)) })
      restorers.set(snapshot, () => {
        for (const { state } of guilds.values()) state.faults.end()
        guilds.clear()
        for (const [id, guild] of entries) guilds.set(id, guild)
        for (const restore of parts) restore()
      })
      return snapshot
    },
    restore(snapshot: Snapshot): void {
      const restore = restorers.get(snapshot)
      if (!restore) throw new TypeError('`snapshot` must be one that snapshot() of the same mock returned')
      restore()
    },
  }
}
