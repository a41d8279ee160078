import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readBody } from './body.ts'

const mebibyte = Buffer.alloc(1024 * 1024, ' ')
const stream = (...chunks: readonly Buffer[]) => Readable.from(chunks) as unknown as IncomingMessage

it('a body is read as UTF-8, also where a character is split between chunks', async () => {
  const bytes = Buffer.from('{"name":"ä"}')

  expect(await readBody(stream(bytes.subarray(0, 10), bytes.subarray(10)))).toBe('{"name":"ä"}')
})

it('a body of more than 64 MiB is a 413', async () => {
  // A first byte that is not UTF-8, so that the body of 64 MiB is looked at, but not read as a whole.
  const chunks = [Buffer.from([0xff]), ...Array.from({ length: 63 }, () => mebibyte), mebibyte.subarray(1)]

  await expect(readBody(stream(...chunks))).rejects.toMatchObject({ status: 400 })
  await expect(readBody(stream(...chunks, Buffer.from(' ')))).rejects.toMatchObject({ status: 413 })
})

it('a body that ends early is a 400', async () => {
  const request = new Readable({ read() {} })
  const body = readBody(request as unknown as IncomingMessage)
  request.push('{"na')
  request.destroy()

  await expect(body).rejects.toMatchObject({ status: 400, message: 'The body ended early.' })
})
