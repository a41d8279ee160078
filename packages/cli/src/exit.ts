// A named import of what is new in Node would end an older one before it is told that it is too old.
import util from 'node:util'
import { GuildLedgerError } from '@guild-ledger/sdk'
import { parameters } from '@guild-ledger/sdk/contract'
import { outliveReaders, printable } from '@guild-ledger/validation/command-line'

/** What every verb ends with. The help tells what each means. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  keyRejected: 3,
  differs: 4,
  endedEarly: 5,
  interrupted: 130,
} as const

/** Ends the program with a sentence and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** A mistake in the call. */
export const usageError = (message: string): CommandError => new CommandError(message, exitCodes.usage)

/** `minAmount` on the command line: `--min-amount`. */
export const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`

const clientOption = new RegExp(`\`?\\b(${[...Object.keys(parameters), 'baseUrl', 'timeZone'].join('|')})\\b\`?`, 'g')

/** A sentence of the SDK with the names that the command line has for options. */
const withFlags = (text: string): string =>
  text
    .replace(/ On a private network, set allowInsecureHttp\.$/, '')
    .replaceAll(clientOption, (whole, name: string) =>
      whole.startsWith('`') || name === 'baseUrl' ? `\`${flagOf(name)}\`` : whole,
    )
    .replace('Check apiKey,', 'Check the key,')

/** Starts a watch from a position in a file; what is wrong with the position becomes a sentence about the file. */
export const startFrom = <T>(flag: string, path: string | undefined, start: () => T): T => {
  try {
    return start()
  } catch (error) {
    if (!GuildLedgerError.is(error) || error.code !== 'configuration' || error.option !== 'since') throw error
    throw usageError(error.message.replace('`since`', `${flag} ${path}`))
  }
}

outliveReaders()

/** Says something beside the data. On a terminal, it takes the place of the progress line. */
export const say = (sentence: string): void =>
  void process.stderr.write(`${process.stderr.isTTY ? '\r\u001B[K' : ''}guild-ledger: ${printable(sentence)}\n`)

/** Runs a step with a file; a failure of the operating system becomes a sentence about the file. */
export const withFile = async <T>(what: string, step: () => T | Promise<T>): Promise<T> => {
  try {
    return await step()
  } catch (error) {
    if (error instanceof CommandError || GuildLedgerError.is(error)) throw error
    const { code = '', errno, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number }
    if (code === 'EPIPE')
      throw new CommandError('whoever read the output has left', exitCodes.endedEarly, { cause: error })
    if (errno === undefined && errcode === undefined) throw error
    // Not the message of `node:fs`, which has the path of a temporary file.
    const reason = errno === undefined ? message : util.getSystemErrorMessage(errno)
    throw new CommandError(`${what}: ${reason} (${code})`, exitCodes.failed, { cause: error })
  }
}

/** The exit code and the sentence for an error; undefined for a defect of this program. */
export const explain = (error: unknown): { readonly exitCode: number; readonly message: string } | undefined => {
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message }
  if (!GuildLedgerError.is(error)) return undefined
  const message = withFlags(error.message)
  if (error.code === 'configuration' || error.code === 'invalid_parameter')
    return { exitCode: exitCodes.usage, message }
  return { exitCode: error.actor === 'manager' ? exitCodes.keyRejected : exitCodes.failed, message }
}
