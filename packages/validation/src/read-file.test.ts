import { truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { within, withPath } from './error-path.ts'
import { readFileOf, useJson } from './read-file.ts'

let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'guild-ledger-'))))
afterAll(() => rm(folder, { recursive: true }))

const read = (file: string) =>
  readFileOf(
    '--data',
    file,
    (text) => text,
    (sentence) => new RangeError(sentence.replace(file, 'FILE')),
  )
const readContent = (content: string | Uint8Array) => {
  const file = join(folder, 'file')
  writeFileSync(file, content)
  return read(file)
}

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

it.each<[string, string | Uint8Array]>([
  ['UTF-8', '{"a":"é"}\r\n'],
  ['UTF-8 with a byte order mark', '\uFEFF{"a":"é"}\r\n'],
  ['UTF-16, as PowerShell writes it', Buffer.from('\uFEFF{"a":"é"}\r\n', 'utf16le')],
  ['UTF-16 with the other order of bytes', swapped('\uFEFF{"a":"é"}\r\n')],
])('readFileOf reads %s', async (_encoding, content) => {
  expect(await readContent(content)).toBe('{"a":"é"}\r\n')
})

const binary = 'it has zero bytes, so it is binary, or UTF-16 without a byte order mark'
it.each<[string, string | Uint8Array, string]>([
  ['an empty file', '', 'it is empty'],
  ['a file of blanks', '\uFEFF \r\n', 'it is empty'],
  ['a compressed file', gzipSync('{}'), 'it is compressed with gzip: decompress it first'],
  ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d), binary],
  ['UTF-16 without a byte order mark', Buffer.from('{}', 'utf16le'), binary],
  ['Latin 1', Buffer.from('{}\n{"a":"é"}', 'latin1'), 'line 2, column 7: it is not text in UTF-8'],
  [
    'a file that ends within a character',
    Buffer.from('{"a":"é').subarray(0, -1),
    'line 1, column 7: the text ends within a character, so it is incomplete',
  ],
])('readFileOf says in one sentence what is wrong with %s', async (_what, content, message) => {
  await expect(readContent(content)).rejects.toThrow(new RangeError(`--data FILE: ${message}`))
})

it('readFileOf names a file that is missing, a folder, and more than 512 MB', async () => {
  const large = join(folder, 'large')
  writeFileSync(large, '')
  truncateSync(large, 512_000_001)

  await expect(read(join(folder, 'none'))).rejects.toThrow('--data FILE: there is no such file')
  await expect(read(folder)).rejects.toThrow('--data FILE: it is a folder, not a file')
  await expect(read(large)).rejects.toThrow('--data FILE: it is larger than 512 MB: split it')
})

it('useJson names line and column of the part that a step rejects', () => {
  const reject = (path: string[]) => () =>
    within('guilds[1]', () => {
      throw withPath(new TypeError('`user` is unknown'), path)
    })
  const text = '{\n  "guilds": [\n    {},\n    { "user": 1 }\n  ]\n}'

  expect(() => useJson(text, reject(['user']))).toThrow('line 4, column 15: guilds[1]: `user` is unknown')
  expect(() => useJson(text, reject([]))).toThrow('line 4, column 5: guilds[1]: `user` is unknown')
  expect(useJson('{"$schema":"x","a":1}', (value) => value)).toEqual({ a: 1 })
  expect(() => useJson('{}\n[]', () => {})).toThrow('line 2, column 1: must be the end, as the file is one JSON value')
})
