import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { authorize } from './access.ts'

const request = (headers: Record<string, string>, localAddress = '127.0.0.1') =>
  ({ headers, socket: { localAddress } }) as unknown as IncomingMessage

it('without a token, a request that arrives at another address is a 403', () => {
  expect(() => authorize(request({ host: 'localhost' }, '192.168.0.7'), undefined)).toThrow(
    expect.objectContaining({ status: 403 }),
  )
})
