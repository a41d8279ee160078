/** No reply is read beyond this: 100 transactions take 20 KB. */
const maxBodyBytes = 64 * 1024 * 1024

/** The text of a body. A service that never stops sending is cut off rather than collected. */
export const textOf = async (response: Response): Promise<string> => {
  const length = Number(response.headers.get('content-length') || Number.NaN)
  if (length <= maxBodyBytes && !response.headers.has('content-encoding')) return response.text()
  if (!response.body) return response.text()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBodyBytes) {
      void reader.cancel().catch(() => {})
      throw new Error(`the body is larger than ${maxBodyBytes / 1024 / 1024} MiB`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
