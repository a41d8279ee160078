import { expect, it } from 'vitest'
import { readText } from './auth.ts'

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

it.each([
  ['5 of 5 characters', 5, 'abcde'],
  ['5 of 4 characters', 4, undefined],
])('reads %s of a body that is no web stream', async (_, maxBytes, expected) => {
  const response = { body: { pipe: () => {} }, text: async () => 'abcde' } as never

  expect(await readText(response, maxBytes)).toBe(expected)
})
