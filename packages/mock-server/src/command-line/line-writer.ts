/** As much of a stream as is needed to write lines to it. */
export interface Sink {
  readonly writableLength: number
  write(text: string): unknown
}

// What a reader who has stopped reading may leave in our memory, in bytes.
const mostWaiting = 1024 * 1024

/**
 * Writes lines, those of one turn of the event loop at once. Lines that a slow reader has no room for are left out
 * and counted: a log must hold up neither the server nor fill its memory.
 */
export const createLineWriter = (sink: Sink, leftOutLine: (count: number) => string) => {
  let lines: string[] = []
  let leftOut = 0
  const flush = () => {
    const taken = lines
    lines = []
    if (sink.writableLength > mostWaiting) {
      leftOut += taken.length
      return
    }
    if (leftOut > 0) taken.unshift(leftOutLine(leftOut))
    leftOut = 0
    sink.write(`${taken.join('\n')}\n`)
  }
  return (line: string): void => {
    if (lines.push(line) === 1) setImmediate(flush)
  }
}
