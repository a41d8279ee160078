import { readFile, stat } from 'node:fs/promises'
import { decodeText, maxTextBytes, tooLarge } from './decode-text.ts'
import { pathOfError } from './error-path.ts'
import { formatPlace, offsetOf, parseJsonValues } from './json-text.ts'

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'permission denied',
}

/**
 * Reads the file of an option, in whichever encoding its byte order mark says.
 *
 * @param use Makes something of the text. What it throws is about the file.
 * @throws {Error} What `toError` makes of a sentence that starts with the option and the file, and has no full stop: the
 * file cannot be read, is empty, too large, compressed or binary, or `use` has thrown.
 */
export const readFileOf = async <Result>(
  option: string,
  file: string,
  use: (text: string) => Result,
  toError: (sentence: string, cause: unknown) => Error,
): Promise<Result> => {
  try {
    if ((await stat(file)).size > maxTextBytes) throw tooLarge()
    const text = decodeText(await readFile(file))
    if (!/\S/.test(text)) throw new TypeError('it is empty')
    return use(text)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw toError(`${option} ${file}: ${systemErrors[code] ?? message}`, error)
  }
}

/**
 * Parses a text that is one JSON value, and uses it. A field `$schema`, which is for editors, is left out.
 *
 * @throws {TypeError} It is not JSON, or `use` has thrown; the message starts with line and column.
 */
export const useJson = <Result>(text: string, use: (value: unknown) => Result): Result => {
  const [first, second] = parseJsonValues(text)
  if (second) throw new TypeError(`${formatPlace(text, second.offset)}: must be the end, as the file is one JSON value`)
  const { value, offset = 0 } = first ?? {}
  if (typeof value === 'object' && value !== null) Reflect.deleteProperty(value, '$schema')
  try {
    return use(value)
  } catch (error) {
    const place = formatPlace(text, offsetOf(text, offset, pathOfError(error)))
    throw new TypeError(`${place}: ${(error as Error).message}`, { cause: error })
  }
}
