// Bars and progress in the terminal, without a library.
const filled = '█'
const empty = '░'

/** A bar of `width` characters, filled to `share` (0 to 1). */
export const bar = (share: number, width: number): string => {
  const length = Math.round(Math.min(1, Math.max(0, share)) * width)
  return filled.repeat(length) + empty.repeat(width - length)
}

/** One line a row: name, bar, value; the longest bar is the largest value. */
export const barChart = (rows: readonly (readonly [name: string, value: number])[], width = 30): string => {
  const largest = Math.max(...rows.map(([, value]) => value))
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  return rows
    .map(([name, value]) => `  ${name.padEnd(nameWidth)}  ${bar(value / largest, width)}  ${value.toFixed(2)}`)
    .join('\n')
}

/** Where progress goes; `process.stderr` fits. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Shows progress: a bar that is drawn over and over on a terminal, now and then a plain line elsewhere. */
export const progressOn = (screen: Screen) => {
  let lastTenth = 0
  return (share: number, text: string): void => {
    if (screen.isTTY) {
      screen.write(`\r${bar(share, 30)} ${text}\u001B[K${share >= 1 ? '\n' : ''}`)
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth > lastTenth) screen.write(`${text}\n`)
    lastTenth = tenth
  }
}
