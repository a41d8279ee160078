import { ResponseValidationError } from '../errors/index.ts'
import { beginningOf } from './to-error.ts'

/**
 * Reads the text of a body of at most `maxBytes`; undefined if there are more, and the rest is cancelled. The bytes are
 * counted as they are read, decompressed: what headers say of them may be wrong.
 */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const reader = response.body?.getReader?.()
  if (!reader) {
    const text = await response.text() // empty, or of a fetch whose bodies are no web streams
    return text.length > maxBytes ? undefined : text
  }
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Parses the body of a success response.
 *
 * @throws {ResponseValidationError} It is not JSON.
 */
export const parseJson = (text: string, label: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const received = beginningOf(text)
    throw new ResponseValidationError(
      `${label} failed: the response body must be JSON, got ${received}. Check baseUrl, or try again.`,
      [{ path: '', expected: 'JSON', received }],
      text,
    )
  }
}
