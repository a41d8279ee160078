import { describeValue } from '@guild-ledger/validation'
import type { Snapshot } from '../ledger/snapshots.ts'
import { HttpError } from './http-error.ts'

/** Snapshots by an id that fits into a path. */
export type Snapshots = ReturnType<typeof createSnapshotStore>

// Bounds the memory of a long-running server.
const maxSnapshots = 100

export const createSnapshotStore = () => {
  const byId = new Map<string, Snapshot>()
  let added = 0
  return {
    /** Stores a snapshot and returns its id. */
    add(snapshot: Snapshot): string {
      const id = `snapshot-${++added}`
      byId.set(id, snapshot)
      byId.delete(`snapshot-${added - maxSnapshots}`)
      return id
    },
    /**
     * @throws {HttpError} There is no snapshot with this id, or it was dropped.
     */
    find(id: string): Snapshot {
      const snapshot = byId.get(id)
      if (snapshot) return snapshot
      throw new HttpError(404, `There is no snapshot ${describeValue(id)}: the last ${maxSnapshots} are kept.`)
    },
  }
}
