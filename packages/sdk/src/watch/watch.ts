import type { LedgerEntry } from '../contract/index.ts'
import { sleep } from '../transport/index.ts'
import { once, type Walk, type WalkedPage } from '../walk/index.ts'
import type { Checkpoint } from './checkpoint.ts'
import { createSource, type Filters, type Source, type Watchable } from './look.ts'
import { mayPass, retryInMs } from './may-pass.ts'
import { checkFilters, watchSettings, type WatchOptions, type WatchSettings } from './options.ts'
import { createPosition, type Position } from './position.ts'

/** New transactions as they turn up, for ever. */
export interface Watch extends Walk<LedgerEntry> {
  /**
   * Where the watch stands: as if the transaction given last was dealt with. Store it once it is. Undefined before the
   * first look of a watch since now.
   */
  readonly checkpoint: Checkpoint | undefined
}

/** Takes all there is for old. */
const beginNow = async (source: Source, overlapMs: number, signal: AbortSignal): Promise<Position> => {
  const newest = await source.newest(signal)
  const position = createPosition(newest === undefined ? null : newest - overlapMs, [], overlapMs)
  for await (const { rows } of source.look(position, signal, false)) for (const entry of rows) position.add(entry)
  position.advance(true)
  return position
}

interface State {
  position: Position | undefined
}

async function* watching(
  source: Source,
  { intervalMs, overlapMs, onError }: WatchSettings,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<LedgerEntry, void, void> {
  for (let failures = 0, isFirst = state.position !== undefined; ; isFirst = false) {
    let waitMs = intervalMs
    try {
      const position = (state.position ??= await beginNow(source, overlapMs, signal))
      for await (const { rows, inOrder } of source.look(position, signal, isFirst)) {
        for (const entry of rows) {
          const isNew = position.isNew(entry)
          position.add(entry)
          if (isNew) yield entry
        }
        if (inOrder) position.advance(false)
      }
      position.advance(true)
      failures = 0
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error
      failures += 1
      waitMs = retryInMs(error, failures, intervalMs)
      onError?.(error, { retryInMs: waitMs })
    }
    await sleep(waitMs, signal)
  }
}

/** `address` tells what is watched, for the checkpoint. */
export const watch = <Q extends object, P extends WalkedPage>(
  operation: Watchable<Q, P>,
  given: Filters<Q>,
  options: WatchOptions,
  address: string,
): Watch => {
  checkFilters({ ...given })
  operation.check(given as Q)
  const filters = { ...given } // as they are now: what the checkpoint says is what is watched
  const known = Object.entries(filters).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
  search.sort()
  const watched = search.size > 0 ? `${address}?${search}` : address
  const settings = watchSettings(options, watched)
  const { from, seen, overlapMs, call } = settings
  const source = createSource(operation, filters, call)
  const state: State = { position: from === undefined ? undefined : createPosition(from, seen, overlapMs) }
  return {
    ...once((signal) => watching(source, settings, state, signal), call.signal),
    get checkpoint(): Checkpoint | undefined {
      const { position } = state
      if (!position) return undefined
      const at = position.from === null ? null : new Date(position.from).toISOString()
      return { version: 1, watched, from: at, seen: [...position.seen.keys()] }
    },
  }
}
