import { relative } from 'node:path'

// The escape sequences of colours.
// oxlint-disable-next-line no-control-regex
const colours = /\u001B\[[\d;]*m/g

/** The first line of a failure that says something, with the next one if it ends with a colon. */
export const firstLine = (text: string): string | undefined => {
  const lines = text.replaceAll(colours, '').split('\n')
  const [first, second] = lines.map((line) => line.trim()).filter((line) => line !== '')
  return first?.endsWith(':') && second !== undefined ? `${first} ${second}` : first
}

const innerFrames = /node_modules|node:internal|site-packages|[\\/]lib[\\/]python|<frozen/
const frame = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s"'():]+\.\w{1,4}):(\d+)/
const pythonFrame = /File "([^"]+)", line (\d+)/

/** `file:line` of a stack trace: the innermost frame in the test file, else the innermost one outside of libraries. */
export const locationIn = (text: string, testFile?: string): string | undefined => {
  const lines = text.replaceAll(colours, '').split('\n')
  const frames = lines
    .filter((line) => !innerFrames.test(line))
    .flatMap((line) => {
      const [, file, number] = frame.exec(line.replaceAll(/https?:\S+/g, '')) ?? pythonFrame.exec(line) ?? []
      return file === undefined ? [] : [{ file, number }]
    })
  const found = frames.find(({ file }) => file === testFile) ?? frames[0]
  return found && `${relative('', found.file)}:${found.number}`
}

/** Whether a failure says that the test runner stopped the test. */
export const isTimeout = (text: string): boolean =>
  /timed out (?:in|after) \d+|testTimeoutFailure|Timeout >|Exceeded timeout of \d+|Timeout of \d+ms exceeded\. For async tests|^test timed out$/im.test(
    text,
  )

/** Quotes what a POSIX shell would not take as it is. */
export const shellQuoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
