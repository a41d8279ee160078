import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { linesOf, type Piece } from './lines.ts'

const inChunks = (text: string, bytes: number): string[] =>
  Array.from({ length: Math.ceil(text.length / bytes) }, (_, i) => text.slice(i * bytes, (i + 1) * bytes))

const piecesOf = async (text: string, bytes = 1000): Promise<Piece[]> => {
  const pieces: Piece[] = []
  for await (const piece of linesOf(inChunks(text, bytes))) pieces.push(piece)
  return pieces
}

it('cuts text into the same lines, however it comes', async () => {
  const line = fc.constantFrom('{"a":1}', '', '  ', '[1]', '{"b":"\u2028 ü"}', 'broken', '7\r')
  const text = fc.array(line).map((lines) => ['{"first":1}', ...lines].join('\n'))

  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (given, bytes) => {
      const pieces = await piecesOf(given, bytes)

      expect(pieces.flatMap((piece) => ('lines' in piece ? piece.lines : ['not lines']))).toEqual(given.split('\n'))
    }),
    { numRuns: process.env.CI ? 500 : 100 },
  )
})

it.each([
  ['an object printed nicely', '{\n  "data": []\n}\n'],
  ['a list printed nicely', '\n\n[\n  {}\n]'],
  ['lines of which the first is broken', 'broken\n{}\n{}'],
])('keeps %s in one piece', async (_what, text) => {
  expect(await piecesOf(text, 3)).toEqual([{ whole: text }])
})

it.each([
  ['one line', '{"a":1}', ['{"a":1}']],
  ['one line that is broken', '{"a"', ['{"a"']],
  ['a byte order mark', '\uFEFF{"a":1}\n', ['{"a":1}', '']],
  ['nothing', '', ['']],
])('takes %s for lines', async (_what, text, lines) => {
  expect(await piecesOf(text)).toEqual(lines.length > 1 ? [{ lines: [lines[0]] }, { lines: [lines[1]] }] : [{ lines }])
})
