/** What the command lines of the published packages share: commander parses them, and a mistake becomes one sentence. */
import { CommanderError, InvalidArgumentError, type Command } from 'commander'

export { readFileOf, useJson } from './read-file.ts'

/** Parses what an option was given; what the step throws becomes the error of that option. */
export const parseArgument = <Value>(step: () => Value): Value => {
  try {
    return step()
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message.replace(/[.?]?$/, (end) => end || '.'))
  }
}

/**
 * Parses a command line. Returns whether there is something to do: the help and the version are printed.
 *
 * @param oldestNode What `engines` of the package says: npm only warns of an older one.
 * @throws {Error} What `toError` makes of a sentence: Node is too old, an option is unknown, lacks its value or has a
 * wrong one.
 */
export const parseWith = (
  program: Command,
  args: readonly string[],
  toError: (sentence: string) => Error,
  oldestNode = '22.13',
): boolean => {
  if (process.versions.node.localeCompare(oldestNode, 'en', { numeric: true }) < 0)
    throw toError(`Node ${oldestNode} or later is needed, got ${process.versions.node}: update Node.`)
  program.exitOverride().configureOutput({ ...program.configureOutput(), writeErr: () => {} })
  try {
    program.parse(args, { from: 'user' })
    return true
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return false
    const sentence = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
    throw toError(`${sentence.replace(/[^.)?]$/, '$&.')} See --help.`)
  }
}

/** Lets a command go on when its reader has left, as `head` does, or its messages are lost. Lost output ends it. */
export const outliveReaders = (): void => {
  process.stderr.on('error', () => {})
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.stderr.write(`standard output: ${message}\n`, () => process.exit(1))
  })
}

/** Prints how far a command is: one line that changes on a terminal, a line every ten seconds elsewhere. */
export const createProgress = (stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) => {
  let next = 0
  return {
    show(line: string): void {
      if (!stream.isTTY && performance.now() < next) return
      next = performance.now() + 10_000
      stream.write(stream.isTTY ? `\r${line}\u001B[K` : `${line}\n`)
    },
    end(): void {
      if (stream.isTTY) stream.write('\r\u001B[K')
    },
  }
}

/** Text that was given on the command line, or by a service, may have control codes of terminals: they are escaped. */
export const printable = (text: string): string =>
  text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** An annotation of GitHub Actions: a line of output, with properties such as `file` and `title`. */
export const annotation = (
  level: 'error' | 'warning',
  properties: Readonly<Record<string, string>>,
  text: string,
): string => {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
  return `::${level} ${list.join(',')}::${escaped(text)}\n`
}
