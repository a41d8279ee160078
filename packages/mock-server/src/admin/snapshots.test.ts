import { expect, it } from 'vitest'
import type { Snapshot } from '../ledger/snapshots.ts'
import { createSnapshotStore } from './snapshots.ts'

it('the snapshot store keeps the last 100 snapshots', () => {
  const store = createSnapshotStore()
  const snapshots = Array.from({ length: 101 }, () => ({}) as Snapshot)
  const ids = snapshots.map((snapshot) => store.add(snapshot))

  expect(() => store.find(ids[0] ?? '')).toThrow(expect.objectContaining({ status: 404 }))
  expect(ids.slice(1).map((id) => store.find(id))).toEqual(snapshots.slice(1))
})

it.each(['snapshot-1', '__proto__', ''])('the unknown snapshot %j is a 404', (id) => {
  expect(() => createSnapshotStore().find(id)).toThrow(expect.objectContaining({ status: 404 }))
})
