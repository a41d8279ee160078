import { processorMs } from '@guild-ledger/test-kit'
import * as fc from 'fast-check'
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

const percent = (text: string) => Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16)}`).join('')
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

it('redacts an escaped key that is nested 5,000 deep', () => {
  const deep = (text: string) => `${'['.repeat(5000)}"${text}"${']'.repeat(5000)}`

  expect(createRedaction([key]).inText(deep(String.raw`\u006bey+of/a guild-1`))).toBe(deep('[api key]'))
})

/** Of the fastest of three runs. */
const fastestMs = async (work: () => unknown): Promise<number> =>
  Math.min(await processorMs(work), await processorMs(work), await processorMs(work))

it.each(['k', String.raw`\u006b`, '&#0000000', key.slice(0, -1), '\\', '['])(
  'searches 128 KiB of %j for a key in less than thrice the time that it takes to replace each character',
  async (part) => {
    const text = part.repeat((128 * 1024) / part.length)
    const { inText } = createRedaction([key])

    const searchMs = await fastestMs(() => inText(text))

    // How fast the machine is does not count. A pattern that backtracks takes a hundred times as long.
    expect(searchMs).toBeLessThan(3 * (await fastestMs(() => text.replace(/[^]/g, (character) => character))))
  },
)

it('redacts no key shorter than 16 characters, which may be part of ordinary words', () => {
  expect(createRedaction(['guild']).inText('{"message":"No transactions found for this guild"}')).toBe(
    '{"message":"No transactions found for this guild"}',
  )
})

const formsOf = (character: string): string[] => {
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  return [
    character,
    percent(character),
    percent(character).toUpperCase(),
    encodeURIComponent(character),
    JSON.stringify(character).slice(1, -1),
    character === '/' ? String.raw`\/` : character,
    `\\u${hex.padStart(4, '0')}`,
    `&#${code};`,
    `&#000${code};`,
    `&#x${hex};`,
    `&#X00${hex.toUpperCase()};`,
    `\\u${hex.toUpperCase().padStart(4, '0')}`,
    entities[character] ?? character,
  ]
}

it('redacts any key, whichever form each of its characters has', () => {
  const character = fc.constantFrom(...Array.from(`abcdefu0123456789ABCXYZ-_.~+/=!é'"()*&<>`))
  const keys = fc.array(character, { minLength: 16, maxLength: 40 })
  const around = fc.constantFrom('', '"', '{"a":"', ' ', '\\\\', '&amp;', '%25', '?a=', '</p>', '\n')
  fc.assert(
    fc.property(keys, fc.infiniteStream(fc.nat()), around, around, (characters, choices, before, after) => {
      const escaped = characters.map((one) => {
        const forms = formsOf(one)
        return forms[choices.next().value % forms.length] ?? one
      })
      const text = `${before}${escaped.join('')}${after}`

      expect(createRedaction([characters.join('')]).inText(text)).toBe(`${before}[api key]${after}`)
    }),
  )
})

it.each([
  ['a%41b%25c/d-0123456789', String.raw`a%41b%25c\/d-0123456789`],
  [String.raw`a\b-0123456789/abcdefg`, String.raw`a\\b-0123456789\/abcdefg`],
  ['a&lt;b-0123456789/abcdef', 'a&lt;b-0123456789%2Fabcdef'],
  [String.raw`a\u0041b-0123456789/abc`, String.raw`a\u0041b-0123456789&#47;abc`],
])('redacts the key %s, which holds what looks like an escape, as %s', (odd, text) => {
  expect(createRedaction([odd]).inText(`<${odd}> <${text}>`)).toBe('<[api key]> <[api key]>')
})

it('redacts several keys', () => {
  const [first, second] = ['first-0123456789abc', 'second/0123456789abc'] as const

  expect(createRedaction([first, second]).inText(`${first} ${encodeURIComponent(second)} ${second}%`)).toBe(
    '[api key] [api key] [api key]%',
  )
})

it('redacts a key in the values of headers, leaves others as they are, and returns headers of the platform', () => {
  const { inHeaders } = createRedaction([key])
  const revealing = new Headers({ 'x-a': '1', location: `/?key=${encodeURIComponent(key)}` })

  expect(inHeaders(new Map([['x-a', '1']])).has('x-a')).toBe(true)
  expect([...inHeaders(revealing)]).toEqual([
    ['location', '/?key=[api key]'],
    ['x-a', '1'],
  ])
})

it('copies of a foreign error name, code, message, stack and three causes, redacted', () => {
  const causes = ['fourth', 'third', 'second', 'first'].reduce<Error | undefined>((cause, name) => {
    return Object.assign(new Error(`${name} ${key}`, { cause }), { code: `E ${key}`, request: key })
  }, new Error('fifth'))
  const error = Object.assign(new Error(key, { cause: causes }), { name: `Name of ${key}`, stack: `stack with ${key}` })

  const copy = createRedaction([key]).inError(error, (text) => text)

  expect(copy).toMatchObject({ message: '[api key]', name: 'Name of [api key]', stack: 'stack with [api key]' })
  expect(copy).not.toHaveProperty('code')
  expect(copy?.cause).toMatchObject({ message: 'first [api key]', code: 'E [api key]' })
  expect(copy?.cause).not.toHaveProperty('request')
  expect(copy?.cause).toHaveProperty('cause.message', 'second [api key]')
  expect(copy?.cause).toHaveProperty('cause.cause.message', 'third [api key]')
  expect(copy?.cause).not.toHaveProperty('cause.cause.cause')
})

it.each(['name', 'stack', 'code'])('copies nothing of a foreign error whose %s is no string', (field) => {
  const error = Object.defineProperty(new Error('x'), field, { value: { toString: () => key } })

  const copy = createRedaction([key]).inError(error, (text) => text) as unknown as Record<string, unknown>

  expect(copy[field] ?? '').toBe('')
})

it('ends at an error that is its own cause', () => {
  const error = new Error('x')
  error.cause = error

  expect(createRedaction([key]).inError(error, (text) => text)).toHaveProperty('cause.cause.message', 'x')
})

it.each([
  [`text with ${key}`, 'text with [api key]'],
  [undefined, 'the connection failed'],
  [{ message: `x ${key}` }, 'x [api key]'],
])('makes an error out of %j, which was thrown in place of one', (value, message) => {
  expect(createRedaction([key]).inError(value, (text) => text)).toMatchObject({ message })
})
