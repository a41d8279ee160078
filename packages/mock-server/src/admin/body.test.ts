import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { parseBody, readBody, requireArray } from './body.ts'
import type { AdminRoute, RequestBody } from './route.ts'

const mebibyte = Buffer.alloc(1024 * 1024, ' ')
const stream = (...chunks: readonly Buffer[]) => Readable.from(chunks) as unknown as IncomingMessage

it('a body is read as UTF-8, also where a character is split between chunks', async () => {
  const bytes = Buffer.from('{"name":"ä"}')

  expect(await readBody(stream(bytes.subarray(0, 10), bytes.subarray(10)))).toBe('{"name":"ä"}')
})

it('a body of 64 MiB is accepted, and a larger one is a 413', async () => {
  const chunks = Array.from({ length: 64 }, () => mebibyte)

  expect(await readBody(stream(...chunks))).toHaveLength(64 * 1024 * 1024)
  await expect(readBody(stream(...chunks, Buffer.from(' ')))).rejects.toMatchObject({ status: 413 })
})

it('a body that ends early is a 400', async () => {
  const request = new Readable({ read() {} })
  const body = readBody(request as unknown as IncomingMessage)
  request.push('{"na')
  request.destroy()

  await expect(body).rejects.toMatchObject({ status: 400, message: 'The body ended early.' })
})

const content = { description: '', schema: {} }
const route = (requestBody?: RequestBody) => ({ ...(requestBody && { requestBody }) }) as AdminRoute
const fields = route({ fields: { users: content, seed: content }, example: {} })
const json = route({ json: content, example: {} })

it('a route with fields gets the fields of a JSON object', () => {
  expect(parseBody(fields, '{"users":3}')).toEqual({ fields: { users: 3 }, body: undefined })
})

it.each(['', ' \n'])('a route with fields gets no fields from the empty body %j', (text) => {
  expect(parseBody(fields, text)).toEqual({ fields: {}, body: undefined })
})

it('a route with any JSON gets the parsed value', () => {
  expect(parseBody(json, '[1]')).toEqual({ fields: {}, body: [1] })
})

it('a route with text gets the text unparsed', () => {
  expect(parseBody(route({ text: content, example: '' }), '{"a":')).toEqual({ fields: {}, body: '{"a":' })
})

it.each([
  [fields, '{', 'The body must be JSON, got "{".'],
  [fields, '[]', '`body` must be an object, got an array of 0'],
  [fields, 'null', '`body` must be an object, got null'],
  [fields, '{"user":1}', 'Unknown field `user`. Did you mean `users`?'],
  [fields, '{"__proto__":1}', 'Unknown field `__proto__`. Known fields: `users`, `seed`.'],
  [route(), '{"all":true}', 'Unknown field `all`. Known fields: none.'],
])('an invalid body is a 400 with a message: %o %s', (given, text, message) => {
  expect(() => parseBody(given, text)).toThrow(expect.objectContaining({ status: 400, message }))
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it('a body of 64 levels is accepted, and a deeper one is a 400', () => {
  expect(parseBody(json, nested(64)).body).toHaveLength(1)
  expect(() => parseBody(json, nested(65))).toThrow('The body must not be nested deeper than 64 levels.')
})

it('brackets in strings do not count as levels', () => {
  expect(parseBody(json, `["${'['.repeat(100)}", "\\"${'{'.repeat(100)}"]`).body).toHaveLength(2)
})

it('requireArray returns an array and rejects anything else', () => {
  expect(requireArray('ids', ['a'])).toEqual(['a'])
  expect(() => requireArray('ids', undefined)).toThrow('`ids` must be an array, got undefined')
})
