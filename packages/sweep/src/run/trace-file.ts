import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { TraceEvent } from '@guild-ledger/mock-server/assumptions'

/** Takes what processes appended to their trace file since the last call. */
export const takeTrace = (path: string): TraceEvent[] => {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  rmSync(path)
  return lines.map((line) => JSON.parse(line) as TraceEvent)
}
