import type { Served } from '../carriers/node.ts'
import { createLineWriter } from './line-writer.ts'
import { jsonLine, logLine, paintFor } from './log-line.ts'

/** Writes a line on a stream for each request: for people, or for programs. */
export const createRequestLog = (stream: NodeJS.WriteStream, json: boolean): ((served: Served) => void) => {
  if (json) {
    const write = createLineWriter(stream, (leftOut) => JSON.stringify({ leftOut }))
    return (served) => write(jsonLine(served))
  }
  const paint = paintFor(stream)
  const write = createLineWriter(stream, (leftOut) => paint('dim', `(${leftOut} lines left out)`))
  return (served) => write(logLine(served, paint))
}
