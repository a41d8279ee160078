import { expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { checkedBy, decodeBody, isStandardSchema, madeBy, parseJson, readText } from './decode.ts'

const wrong = () => ({ issues: [{ path: 'a', expected: 'a string', received: '1' }] })

it('reads a body whose characters are split between chunks', async () => {
  const bytes = new TextEncoder().encode('a☃b')
  const stream = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })

  expect(await readText(new Response(stream), 5)).toBe('a☃b')
})

it('cuts a body off that is larger than the limit, whatever its headers say, and cancels it', async () => {
  const cancel = vi.fn()
  const chunk = new Uint8Array(4)
  const stream = new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel }, { highWaterMark: 0 })

  expect(await readText(new Response(stream, { headers: { 'content-length': '4' } }), 9)).toBeUndefined()
  expect(cancel).toHaveBeenCalledOnce()
})

it.each([
  ['5 of 5 characters', 5, 'abcde'],
  ['5 of 4 characters', 4, undefined],
])('reads %s of a body that is no web stream', async (_, maxBytes, expected) => {
  const response = { body: { pipe: () => {} }, text: async () => 'abcde' } as never

  expect(await readText(response, maxBytes)).toBe(expected)
})

it('reads the text of a response that has no body', async () => {
  expect(await readText(new Response(null), 5)).toBe('')
})

it('passes on a body that the contract allows itself', () => {
  const body = { a: 1, unknown: 2 }

  expect(checkedBy(z.object({ a: z.number() }))(body)).toHaveProperty('value', body)
})

it.each([
  [99, 99],
  [100, 100],
  [150, 100],
])('finds the first 100 issues of a body: of %i it finds %i', async (count, found) => {
  const result = await checkedBy(z.array(z.number()))(Array.from({ length: count }, () => 'x'))

  const issues = 'issues' in result ? result.issues : []
  expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: found }, (_, i) => `[${i}]`))
})

it('parses JSON, and words what is none', () => {
  expect(parseJson('{"a":1}', 'GET /x', 25)).toEqual({ a: 1 })
  expect(() => parseJson('<p>', 'GET /x', 25)).toThrow(
    'GET /x failed: the response body must be JSON, got a body that starts with "<p>". Check baseUrl, or try again.',
  )
})

it.each([
  ['', 'an empty body'],
  [`<p>${'x'.repeat(57)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
  [`<p>${'x'.repeat(58)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
])('names what came in place of JSON, its first 60 characters at most: %s', (text, received) => {
  expect(() => parseJson(text, 'GET /x', 25)).toThrow(
    expect.objectContaining({ issues: [{ path: '', expected: 'JSON', received }] }),
  )
})

it.each([
  ['[{}]', 26],
  ['[[]]', 50],
])('parses %s, of at most %d bytes: one object or array in 25 bytes may be in it', (text, maxBytes) => {
  expect(parseJson(text, 'GET /x', maxBytes)).toEqual(JSON.parse(text))
})

it.each(['[{},[]]', '["{["]', '{}{}{}'])('does not parse %s, where at most 50 bytes may come', (text) => {
  expect(() => parseJson(text, 'GET /x', 50)).toThrow(
    'GET /x failed: the response body must have at most 2 objects and arrays, got more. Lower limit, or raise maxResponseBytes.',
  )
})

it.each<[number, unknown, string]>([
  [1, { message: 'maintenance' }, '`a0` must be a string, got 1. The service says: "maintenance".'],
  [1, { message: 5 }, '`a0` must be a string, got 1.'],
  [1, 'message', '`a0` must be a string, got 1.'],
  [1, null, '`a0` must be a string, got 1.'],
  [3, {}, '`a0` must be a string, got 1. `a1` must be a string, got 1. `a2` must be a string, got 1.'],
  [4, {}, '`a0` must be a string, got 1. `a1` must be a string, got 1. `a2` must be a string, got 1 (and 1 more).'],
])('words %d issues of the body %j', async (count, body, message) => {
  const log = vi.fn()
  const issues = Array.from({ length: count }, (_, i) => ({ path: `a${i}`, expected: 'a string', received: '1' }))

  await decodeBody(body, () => ({ issues }), 'warn', 'GET /x', log)

  expect(log).toHaveBeenCalledWith('warn', `GET /x: the response violates the contract: ${message}`)
})

it.each([
  ['strict', undefined],
  ['warn', { b: 1 }],
  ['off', { b: 1 }],
] as const)("decodes a body that violates the contract with validation '%s'", async (validation, expected) => {
  const log = vi.fn()

  const value = await decodeBody({ b: 1 }, wrong, validation, 'GET /x', log).catch(() => undefined)

  expect(value).toEqual(expected)
  expect(log.mock.calls).toEqual(
    validation === 'warn' ? [['warn', 'GET /x: the response violates the contract: `a` must be a string, got 1.']] : [],
  )
})

it('passes on the value of a schema, and joins the paths of its issues', async () => {
  const schemaOf = (result: object) =>
    ({ '~standard': { version: 1, vendor: 'test', validate: () => result } }) as never

  expect(await madeBy(schemaOf({ value: 7 }))({})).toEqual({ value: 7 })
  expect(
    await madeBy(schemaOf({ issues: [{ message: 'a string', path: ['a', { key: 0 }] }, { message: 'x' }] }))([]),
  ).toEqual({
    issues: [
      { path: 'a.0', expected: 'a string', received: 'an array of 0' },
      { path: '', expected: 'x', received: 'an array of 0' },
    ],
  })
})

it.each([
  [{ '~standard': { validate: () => {} } }, true],
  [{ '~standard': {} }, false],
  [{}, false],
  [null, false],
])('tells whether %o is a Standard Schema: %s', (value, expected) => {
  expect(isStandardSchema(value)).toBe(expected)
})
