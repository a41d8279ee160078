/** Part of a file: some of its lines, or all of it where only the whole is JSON. */
export type FilePart = { readonly lines: readonly string[] } | { readonly whole: string }

const isJsonText = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Splits text that comes in chunks into lines, without ever holding all of it. JSON that was printed over several lines
 * is recognised by its first line, which is not JSON by itself: then all of the text is one part.
 */
export async function* splitLines(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<FilePart, void> {
  let rest = ''
  let isWhole: boolean | undefined
  for await (const chunk of chunks) {
    rest += chunk
    if (isWhole === true || !chunk.includes('\n')) continue
    const lines = rest.split('\n')
    if (isWhole === undefined) {
      lines[0] = (lines[0] ?? '').replace(/^\uFEFF/, '')
      const first = lines.slice(0, -1).find((line) => line.trim() !== '')
      if (first === undefined) continue
      isWhole = !isJsonText(first)
      if (isWhole) continue
    }
    rest = lines.pop() ?? ''
    yield { lines }
  }
  if (isWhole === undefined) yield { lines: rest.replace(/^\uFEFF/, '').split('\n') }
  else yield isWhole ? { whole: rest } : { lines: [rest] }
}
