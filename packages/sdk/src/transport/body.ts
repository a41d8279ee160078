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
