/** As much of a stream as is needed to write lines to it. */
export interface LineSink {
  readonly writableLength: number
  write(text: string): unknown
}

// What a reader that has stopped reading may leave in memory, in bytes.
const maxWaitingBytes = 1024 * 1024

/**
 * Writes lines, those of one turn of the event loop together. Lines that a slow reader has no room for are dropped and
 * counted: a log must neither block the server nor fill its memory.
 */
export const createLineWriter = (sink: LineSink, droppedLine: (count: number) => string) => {
  let lines: string[] = []
  let dropped = 0
  const flush = () => {
    const taken = lines
    lines = []
    if (sink.writableLength > maxWaitingBytes) {
      dropped += taken.length
      return
    }
    if (dropped > 0) taken.unshift(droppedLine(dropped))
    dropped = 0
    sink.write(`${taken.join('\n')}\n`)
  }
  return (line: string): void => {
    if (lines.push(line) === 1) setImmediate(flush)
  }
}
