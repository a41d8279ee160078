import { expect, it, vi } from 'vitest'
import { parseJson, readText } from './body.ts'

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

it('parses JSON, and words what is none', () => {
  expect(parseJson('{"a":1}', 'GET /x')).toEqual({ a: 1 })
  expect(() => parseJson('<p>', 'GET /x')).toThrow(
    'GET /x failed: the response body must be JSON, got a body that starts with "<p>". Check baseUrl, or try again.',
  )
})

it.each([
  ['', 'an empty body'],
  [`<p>${'x'.repeat(57)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
  [`<p>${'x'.repeat(58)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
])('names what came in place of JSON, its first 60 characters at most: %s', (text, received) => {
  expect(() => parseJson(text, 'GET /x')).toThrow(
    expect.objectContaining({ issues: [{ path: '', expected: 'JSON', received }] }),
  )
})
