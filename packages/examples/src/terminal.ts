// Show bars and progress in the terminal, without a library.
const filled = '█'
const empty = '░'

/** A bar of `width` characters, filled to `share` (0 to 1). */
export const bar = (share: number, width: number): string => {
  const length = Math.round(Math.min(1, Math.max(0, share)) * width)
  return filled.repeat(length) + empty.repeat(width - length)
}

/** Draws one line per row with name, bar and value. The largest value has the longest bar. */
export const barChart = (rows: readonly (readonly [name: string, value: number])[], width = 30): string => {
  const largest = Math.max(...rows.map(([, value]) => value))
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  return rows
    .map(([name, value]) => `  ${name.padEnd(nameWidth)}  ${bar(value / largest, width)}  ${value.toFixed(2)}`)
    .join('\n')
}

/** Where progress is written, such as `process.stderr`. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Creates a function that shows progress: a bar that is redrawn on a terminal, a line every ten per cent elsewhere. */
export const createProgress = (output: Output) => {
  let lastTenth = 0
  return (share: number, text: string): void => {
    if (output.isTTY) {
      output.write(`\r${bar(share, 30)} ${text}\u001B[K${share >= 1 ? '\n' : ''}`)
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth > lastTenth) output.write(`${text}\n`)
    lastTenth = tenth
  }
}
