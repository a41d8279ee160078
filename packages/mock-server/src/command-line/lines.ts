/** What a file holds: its lines, or one text where it makes sense only as a whole. */
export type Piece = { readonly lines: readonly string[] } | { readonly whole: string }

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Cuts text that comes in chunks into lines, without ever holding all of it. JSON that was printed over several lines
 * is told by its first line, which is none by itself: then all of the text is one piece.
 */
export async function* linesOf(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Piece, void> {
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
      isWhole = !isJson(first)
      if (isWhole) continue
    }
    rest = lines.pop() ?? ''
    yield { lines }
  }
  if (isWhole === undefined) yield { lines: rest.replace(/^\uFEFF/, '').split('\n') }
  else yield isWhole ? { whole: rest } : { lines: [rest] }
}
