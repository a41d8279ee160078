import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { splitLines, type FilePart } from './lines.ts'

const inChunks = (text: string, bytes: number): string[] =>
  Array.from({ length: Math.ceil(text.length / bytes) }, (_, i) => text.slice(i * bytes, (i + 1) * bytes))

const partsOf = async (text: string, bytes = 1000): Promise<FilePart[]> => {
  const parts: FilePart[] = []
  for await (const part of splitLines(inChunks(text, bytes))) parts.push(part)
  return parts
}

it('splitLines splits text into the same lines, whatever its chunks', async () => {
  const line = fc.constantFrom('{"a":1}', '', '  ', '[1]', '{"b":"\u2028 ü"}', 'broken', '7\r')
  const text = fc.array(line).map((lines) => ['{"first":1}', ...lines].join('\n'))

  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (given, bytes) => {
      const parts = await partsOf(given, bytes)

      expect(parts.flatMap((part) => ('lines' in part ? part.lines : ['not lines']))).toEqual(given.split('\n'))
    }),
    { numRuns: process.env.CI ? 500 : 100 },
  )
})

it.each([
  ['a formatted object', '{\n  "data": []\n}\n'],
  ['a formatted array', '\n\n[\n  {}\n]'],
  ['lines of which the first is not JSON', 'broken\n{}\n{}'],
])('splitLines keeps %s in one part', async (_content, text) => {
  expect(await partsOf(text, 3)).toEqual([{ whole: text }])
})

it.each([
  ['one line', '{"a":1}', ['{"a":1}']],
  ['one line that is not JSON', '{"a"', ['{"a"']],
  ['a byte order mark', '\uFEFF{"a":1}\n', ['{"a":1}', '']],
  ['an empty file', '', ['']],
])('splitLines splits %s into lines', async (_content, text, lines) => {
  expect(await partsOf(text)).toEqual(lines.length > 1 ? [{ lines: [lines[0]] }, { lines: [lines[1]] }] : [{ lines }])
})
