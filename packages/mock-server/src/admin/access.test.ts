import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { isLoopback } from '../adapters/node/host-names.ts'
import { authorize } from './access.ts'

it.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.7', false],
  ['127.evil.test', false],
  ['localhost.evil.test', false],
  ['', false],
])('whether %j is a loopback address: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

const request = (headers: Record<string, string>, localAddress = '127.0.0.1') =>
  ({ headers, socket: { localAddress } }) as unknown as IncomingMessage

it.each([
  [{ host: '127.0.0.1:4010' }],
  [{ host: 'localhost:4010', origin: 'http://localhost:4010' }],
  [{ host: '[::1]:4010' }],
])('without a token, a loopback request with the headers %j is accepted', (headers) => {
  expect(() => authorize(request(headers), undefined)).not.toThrow()
})

it('without a token, a request that arrives at another address is a 403', () => {
  expect(() => authorize(request({ host: 'localhost' }, '192.168.0.7'), undefined)).toThrow(
    expect.objectContaining({ status: 403 }),
  )
})
