import { stripVTControlCharacters } from 'node:util'

/** What does not say why a test failed: that it did, its name (Go, PHPUnit), its place (Go, GoogleTest, Rust). */
const sayingNothing =
  /^(?:[^\p{L}\d]*|failed|=== .*|--- FAIL: .*|[\w\\]+::\w+(?: with data set .*)?|(?:Error Trace:\s+)?[^\s:]+:\d+:?|thread '.*' panicked at .*)$/iu
/** What stands in the diagnostics of TAP before the reason. */
const diagnostics = /^\s*---\n[\s\S]*?\b(?:message|stack): /

/** The first line of a failure that says something, with the next one if it ends with a colon. */
export const firstLine = (text: string): string | undefined => {
  const all = stripVTControlCharacters(text).replace(diagnostics, '').split('\n')
  const lines = all.map((line) => line.trim().replaceAll(/\s+/g, ' ')).filter(Boolean)
  const [first = lines[0], second] = lines.filter((line) => !sayingNothing.test(line))
  return first?.endsWith(':') && second !== undefined ? `${first} ${second}` : first
}

const timeouts =
  /timed out (?:in|after) \d+|testTimeoutFailure|Timeout >|Exceeded timeout of \d+|Timeout of \d+ms exceeded\. For async tests|(?:test|hook) timeout of \d+ms exceeded|Async function did not complete|^test time(?:d out|out)$/im

/** Whether a failure says that the test runner stopped the test. */
export const isTimeout = (text: string): boolean => timeouts.test(text)

/** Quotes what a POSIX shell would not take as it is. */
export const shellQuoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
