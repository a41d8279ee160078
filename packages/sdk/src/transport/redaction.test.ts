import { expect, it } from 'vitest'
import { createRedaction } from './redaction.ts'

const key = 'key+of/a guild-1'

it.each([
  ['as it is', `"${key}"`, '"[api key]"'],
  ['URL-encoded', `"${encodeURIComponent(key)}"`, '"[api key]"'],
  ['with escapes', String.raw`"key+of\/a\u0020guild-1"`, '"[api key]"'],
  ['as a name', `{"${key}":1}`, '{"[api key]":1}'],
  ['in what is no JSON', `<p>${key}</p>`, '<p>[api key]</p>'],
  ['after an escaped backslash', `"\\\\${key}"`, String.raw`"\\[api key]"`],
  ['twice', `${key}${key}`, '[api key][api key]'],
  ['nowhere', '{ "a": "\\n" }', '{ "a": "\\n" }'],
])('redacts a key in a body %s', (_, body, expected) => {
  expect(createRedaction([key]).inText(body)).toBe(expected)
})

const oddKey = `~'()!*&<>"/\\+é-0aZ`
const everyCharacter = (form: (code: number, character: string) => string) =>
  Array.from(oddKey, (character) => form(character.charCodeAt(0), character)).join('')
const percent = (text: string) => Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16)}`).join('')
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

it.each([
  ['as it is', oddKey],
  ['as encodeURIComponent spells it', encodeURIComponent(oddKey)],
  ['percent-encoded in lower case', percent(oddKey)],
  ['percent-encoded in upper case', percent(oddKey).toUpperCase()],
  ['as JSON.stringify spells it', JSON.stringify(oddKey).slice(1, -1)],
  ['escaped in JSON in lower case', everyCharacter((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
  ['escaped in JSON in upper case', everyCharacter((code) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`)],
  ['as HTML with names', everyCharacter((_, character) => entities[character] ?? character)],
  ['as HTML with decimal references', everyCharacter((code) => `&#${code};`)],
  ['as HTML with hexadecimal references', everyCharacter((code) => `&#X00${code.toString(16)};`)],
  ['half escaped', `${JSON.stringify(oddKey.slice(0, 9)).slice(1, -1)}${percent(oddKey.slice(9))}`],
])('redacts a key with odd characters %s', (_, text) => {
  expect(createRedaction([oddKey]).inText(`<${text}>`)).toBe('<[api key]>')
})

it('redacts an escaped key that is nested 5,000 deep', () => {
  const deep = (text: string) => `${'['.repeat(5000)}"${text}"${']'.repeat(5000)}`

  expect(createRedaction([key]).inText(deep(String.raw`\u006bey+of/a guild-1`))).toBe(deep('[api key]'))
})

it.each(['k', String.raw`\u006b`, '&#0000000', key.slice(0, -1), '\\', '['])(
  'searches 8 MiB of %j for a key in less than 300 ms of processor time',
  (part) => {
    const text = part.repeat((8 * 1024 * 1024) / part.length)
    const { inText } = createRedaction([key])
    const runsMs = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      inText(text)
      return process.cpuUsage(before).user / 1000
    })

    expect(Math.min(...runsMs)).toBeLessThan(300)
  },
)

it('redacts no key shorter than 16 characters, which may be part of ordinary words', () => {
  expect(createRedaction(['guild']).inText('{"message":"No transactions found for this guild"}')).toBe(
    '{"message":"No transactions found for this guild"}',
  )
})

it('compiles the pattern of a key once, and drops those of keys that are left out', () => {
  const [first, second, third] = ['first-0123456789abc', 'second-0123456789abc', 'third-0123456789abc'] as const
  const before = createRedaction([first, second])
  const after = createRedaction([second, third], before)

  expect(after.patterns.get(second)).toBe(before.patterns.get(second))
  expect([...after.patterns.keys()]).toEqual([second, third])
  expect(after.inText(`${second} ${third}`)).toBe('[api key] [api key]')
})
