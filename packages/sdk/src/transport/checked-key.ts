import { ConfigurationError } from '../errors/index.ts'

// Visible Latin-1, which any header carries: no runtime fails later with a message that shows the key.
const headerValue = /^[\x21-\x7e\xa1-\xff]+$/

const invalid = (message: string): never => {
  throw new ConfigurationError('apiKey', `\`apiKey\` ${message}`)
}

/** @throws {ConfigurationError} The value cannot be a key. The message does not show it. */
export const checkedKey = (key: string, problem = 'holds'): string => {
  if (/[\r\n]/.test(key)) invalid(`${problem} a line break: if it was read from a file, trim it`)
  if (!headerValue.test(key)) {
    invalid(`${problem} characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again`)
  }
  return key
}

/** @throws {ConfigurationError} A function returned something that cannot be a key. The message does not show it. */
export const checkedResult = (key: unknown): string => {
  if (typeof key !== 'string')
    return invalid(`must return a string or a promise of one, got another type: ${typeof key}`)
  if (key === '') return invalid('must return the key, got an empty string')
  return checkedKey(key, 'returned a key with')
}
