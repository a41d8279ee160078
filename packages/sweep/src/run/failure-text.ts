// The escape sequences of colours.
// oxlint-disable-next-line no-control-regex
const colours = /\u001B\[[\d;]*m/g

/** The first line of a failure that says something, with the next one if it ends with a colon. */
export const firstLine = (text: string): string | undefined => {
  const lines = text.replaceAll(colours, '').split('\n')
  const [first, second] = lines.map((line) => line.trim()).filter((line) => line !== '')
  return first?.endsWith(':') && second !== undefined ? `${first} ${second}` : first
}

/** Whether a failure says that the test runner stopped the test. */
export const isTimeout = (text: string): boolean =>
  /timed out (?:in|after) \d+|testTimeoutFailure|Timeout >|Exceeded timeout of \d+|Timeout of \d+ms exceeded\. For async tests|^test timed out$/im.test(
    text,
  )

/** Quotes what a POSIX shell would not take as it is. */
export const shellQuoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
