import { formatPlace } from './json-text.ts'

/** More than this does not fit into a string. */
export const maxTextBytes = 512_000_000

export const tooLarge = () => new TypeError('it is larger than 512 MB: split it')

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean => start.every((byte, i) => bytes[i] === byte)

const compressions = { gzip: [0x1f, 0x8b], zip: [0x50, 0x4b, 0x03, 0x04], zstd: [0x28, 0xb5, 0x2f, 0xfd] }

const encodingOf = (bytes: Uint8Array): string => {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le'
  return startsWith(bytes, [0xfe, 0xff]) ? 'utf-16be' : 'utf-8'
}

const decoded = (bytes: Uint8Array, encoding: string): string => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    const lossy = new TextDecoder(encoding).decode(bytes)
    if (lossy.includes('\0')) return lossy
    const at = lossy.indexOf('\uFFFD')
    const problem =
      at === lossy.length - 1 ? 'the text ends within a character, so it is incomplete' : 'it is not text in UTF-8'
    throw new TypeError(`${formatPlace(lossy, at)}: ${problem}`)
  }
}

/**
 * The text that bytes stand for: UTF-8, or what their byte order mark says.
 *
 * @throws {TypeError} It is too large, compressed, binary or incomplete.
 */
export const decodeText = (bytes: Uint8Array): string => {
  if (bytes.length > maxTextBytes) throw tooLarge()
  for (const [name, start] of Object.entries(compressions))
    if (startsWith(bytes, start)) throw new TypeError(`it is compressed with ${name}: decompress it first`)
  const text = decoded(bytes, encodingOf(bytes))
  if (text.includes('\0'))
    throw new TypeError('it has zero bytes, so it is binary, or UTF-16 without a byte order mark')
  return text
}

/** A text without its byte order mark. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '')
