import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { TraceEvent } from '../assumptions/index.ts'

/** A file that processes append their trace to. */
export interface TraceFile {
  readonly path: string
  /** All events since the last call. */
  take(): TraceEvent[]
}

/** The trace file at a path; it may not exist yet. */
export const traceFileAt = (path: string): TraceFile => ({
  path,
  take() {
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    writeFileSync(path, '')
    return lines.map((line) => JSON.parse(line) as TraceEvent)
  },
})
