import { inWords } from '@guild-ledger/sdk/contract'
import type { Snapshot } from '../mock-ledger/index.ts'
import { Refused } from './refused.ts'

/** Snapshots by a name that fits into a path. */
export interface Snapshots {
  keep(snapshot: Snapshot): string
  /**
   * @throws {Refused} There is none of that name, or no longer.
   */
  find(id: string): Snapshot
}

// A server that runs for days must not fill the memory.
const kept = 100

export const createSnapshotStore = (): Snapshots => {
  const byId = new Map<string, Snapshot>()
  let taken = 0
  return {
    keep(snapshot) {
      const id = `snapshot-${++taken}`
      byId.set(id, snapshot)
      byId.delete(`snapshot-${taken - kept}`)
      return id
    },
    find(id) {
      const snapshot = byId.get(id)
      if (snapshot) return snapshot
      throw new Refused(404, `There is no snapshot ${inWords(id)}: the last ${kept} are kept.`)
    },
  }
}
