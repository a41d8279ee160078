import { expect, it, vi } from 'vitest'
import { createAuthentication, createRedaction } from './auth.ts'
import type { Fetch } from './options.ts'

const key = 'key+of/a guild-1'
const signal = new AbortController().signal
const authentication = (fetch: Fetch) =>
  createAuthentication({ apiKey: key, baseUrl: 'https://ledger.example/v1', fetch, maxResponseBytes: 1000 })
const request = new Request('https://ledger.example/v1/guild')

it('sends the key in x-api-key, whatever the request says about it', async () => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response('{}'))
  const auth = authentication(fetch)

  await auth.prepare(new Request(request, { headers: { 'x-api-key': 'other', accept: 'text/x' } }), 'GET /x')(signal)

  expect(fetch.mock.calls).toEqual([
    [
      'https://ledger.example/v1/guild',
      { method: 'GET', headers: { accept: 'text/x', 'x-api-key': key }, redirect: 'manual', signal },
    ],
  ])
})

it.each(['https://ledger.example.evil/', 'http://ledger.example/', 'https://ledger.example:444/', 'https://other/'])(
  'rejects a request to %s before anything is sent',
  (url) => {
    const fetch = vi.fn(async () => new Response('{}'))

    expect(() => authentication(fetch).prepare(new Request(url), 'GET /x')).toThrow(
      '`middleware` must not send the key to an origin other than https://ledger.example',
    )
    expect(fetch).not.toHaveBeenCalled()
  },
)

it('redacts the key in headers and body of a response', async () => {
  const auth = authentication(async () => new Response(`{"key":"${key}"}`, { headers: { 'x-echo': `<${key}>` } }))

  const response = await auth.prepare(request, 'GET /x')(signal)

  expect(response.headers.get('x-echo')).toBe('<[api key]>')
  expect(await response.text()).toBe('{"key":"[api key]"}')
})

it('rejects with a redacted copy of what fetch throws, and with nothing else of it', async () => {
  const cause = Object.assign(new Error(`inner ${key}`), { code: 'ECONNRESET', request: { key } })
  const auth = authentication(() => Promise.reject(new TypeError(`cannot send ${key}`, { cause })))

  const error = await auth
    .prepare(
      request,
      'GET /x',
    )(signal)
    .catch((reason: unknown) => reason)

  expect(error).toMatchObject({ name: 'TypeError', message: 'cannot send [api key]' })
  expect(error).toHaveProperty('cause.message', 'inner [api key]')
  expect(error).toHaveProperty('cause.code', 'ECONNRESET')
  expect(error).not.toHaveProperty('cause.request')
})

it('redacts what fails while a body is read', async () => {
  const stream = new ReadableStream({ pull: (controller) => controller.error(new Error(`broken ${key}`)) })
  const { text } = await authentication(async () => new Response(stream)).prepare(request, 'GET /x')(signal)

  await expect(text()).rejects.toThrow('broken [api key]')
})

it.each([undefined, null, {}, 'page'])('rejects %o as a response of fetch', async (response) => {
  const auth = authentication(async () => response as never)

  await expect(auth.prepare(request, 'GET /x')(signal)).rejects.toThrow(
    '`fetch` must return a Response, got something else',
  )
})

it('cancels the body of a redirect instead of reading it', async () => {
  const cancel = vi.fn()
  const redirect = new Response(new ReadableStream({ cancel }), { status: 307 })
  const { status, text } = await authentication(async () => redirect).prepare(request, 'GET /x')(signal)

  expect(status).toBe(307)
  await expect(text()).rejects.toMatchObject({
    code: 'redirect_refused',
    message: expect.stringContaining('failed: status 307 is a redirect'),
  })
  expect(cancel).toHaveBeenCalledOnce()
})

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
  expect(createRedaction(key).inText(body)).toBe(expected)
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
  expect(createRedaction(oddKey).inText(`<${text}>`)).toBe('<[api key]>')
})

it('redacts an escaped key that is nested 5,000 deep', () => {
  const deep = (text: string) => `${'['.repeat(5000)}"${text}"${']'.repeat(5000)}`

  expect(createRedaction(key).inText(deep(String.raw`\u006bey+of/a guild-1`))).toBe(deep('[api key]'))
})

it.each(['k', String.raw`\u006b`, '&#0000000', key.slice(0, -1), '\\', '['])(
  'searches 8 MiB of %j for a key in less than 300 ms of processor time',
  (part) => {
    const text = part.repeat((8 * 1024 * 1024) / part.length)
    const { inText } = createRedaction(key)
    const runsMs = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      inText(text)
      return process.cpuUsage(before).user / 1000
    })

    expect(Math.min(...runsMs)).toBeLessThan(300)
  },
)

it('redacts no key shorter than 16 characters, which may be part of ordinary words', () => {
  expect(createRedaction('guild').inText('{"message":"No transactions found for this guild"}')).toBe(
    '{"message":"No transactions found for this guild"}',
  )
})
