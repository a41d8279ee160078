import { once } from 'node:events'
import { connect, Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createMockLedger, type Fault, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { startMockServer, type MockServerOptions } from '@guild-ledger/mock-server/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { list, sendRaw, sendRequest } from './raw-http.ts'

const serve = async (options: Partial<MockServerOptions> = {}, ledger: MockLedgerOptions = {}) => {
  const mock = createMockLedger({ rateLimit: 'off', ...ledger })
  const server = await startMockServer({ mock, ...options })
  onTestFinished(() => server.close())
  const withKey = (path: string, headers = '') =>
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${mock.apiKey}\r\n${headers}\r\n`
  return { mock, server, withKey, key: { 'x-api-key': mock.apiKey } }
}
const errorOf = (response: string) =>
  JSON.parse(response.slice(response.indexOf('\r\n\r\n'))) as { success: boolean; message: string }

describe('what is no valid request', () => {
  it.each([
    ['one large header', list, `x: ${'x'.repeat(40_000)}\r\n`, 431],
    ['a huge path', `/${'x'.repeat(40_000)}`, '', 431],
    ['two lengths', list, 'content-length: 1\r\ncontent-length: 2\r\n', 400],
    ['an unknown expectation', list, 'expect: wonders\r\n', 417],
  ])('gets the response of Node, and is not logged: %s', async (_case, path, headers, status) => {
    const { server, withKey, mock } = await serve()

    expect(await sendRaw(server.port, withKey(path, headers))).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(mock.requests).toEqual([])
    expect((await sendRequest(server, '/x')).status).toBe(404)
  })

  it('may be a path and a query string of 30,000 bytes', async () => {
    const { server, key } = await serve()

    expect((await sendRequest(server, `${list}?from=${'x'.repeat(30_000)}`, key)).status).toBe(404)
  })
})

describe('a client that gives up before the response', () => {
  it.each<Fault>([
    { kind: 'latency', ms: 3_600_000 },
    { kind: 'slow-body', intervalMs: 3_600_000 },
  ])('is in the log without a status: %j', async (fault) => {
    const { mock, server, key } = await serve()
    mock.guild.fault(fault)
    const abort = new AbortController()
    const gone = fetch(server.url + list, { headers: key, signal: abort.signal })
      .then((response) => response.text())
      .catch(() => 'gone')
    await expect.poll(() => mock.requests.length).toBe(1)

    abort.abort()

    expect(await gone).toBe('gone')
    await expect.poll(() => mock.requests[0]?.status).toBe(null)
    expect(mock.guild.requests).toMatchObject([{ status: null, faults: [fault.kind] }])
  })

  it('is not one whose slow response arrived', async () => {
    const { mock, server, key } = await serve()
    mock.guild.fault({ kind: 'latency', ms: 1 })

    await (await fetch(server.url + list, { headers: key })).text()

    expect(mock.requests).toMatchObject([{ status: 200, faults: ['latency'] }])
  })
})

describe('an unusual request', () => {
  it.each([
    ['for a target that is no path', 'GET * HTTP/1.1\r\nhost: localhost\r\n\r\n', 404],
    ['for an absolute target', `GET http://a.test${list} HTTP/1.1\r\nhost: localhost\r\n\r\n`, 401],
    ['with steps up the path', 'GET /guild/ledger/../transactions HTTP/1.1\r\nhost: localhost\r\n\r\n', 404],
    ['with another method', `DELETE ${list} HTTP/1.1\r\nhost: localhost\r\n\r\n`, 405],
    ['with two keys', `GET ${list} HTTP/1.1\r\nhost: localhost\r\nx-api-key: a\r\nx-api-key: b\r\n\r\n`, 401],
  ])('%s gets an error response with the error body', async (_case, request, status) => {
    const { server } = await serve()

    const response = await sendRaw(server.port, request)

    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(errorOf(response)).toEqual({ success: false, message: expect.any(String) as string })
  })
})

describe('the host header of a request', () => {
  const requestFor = (hosts: string) => `GET ${list} HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:1', '127.8.9.1', '[::1]:4010', 'bot.localhost.:3000'])(
    'may be %s',
    async (host) => {
      const { server } = await serve()

      expect(await sendRaw(server.port, requestFor(`host: ${host}`))).toMatch(/^HTTP\/1.1 401 /)
    },
  )

  it.each(['evil.test', 'evillocalhost', 'localhost.evil.test', '127.0.0.1.evil.test:80', '10.0.0.1', ''])(
    'is a 421 with the name "%s", which may be that of a web page, and the request is not logged',
    async (host) => {
      const { server, mock } = await serve()

      const response = await sendRaw(server.port, requestFor(`host: ${host}`))

      expect(response).toMatch(/^HTTP\/1.1 421 Misdirected Request\r\n/)
      expect(errorOf(response)).toEqual({
        success: false,
        message: 'The host header must be localhost or a loopback address, unless the server is started with cors',
      })
      expect(mock.guild.requests).toHaveLength(0)
    },
  )

  it.each<[string, Partial<MockServerOptions>]>([
    ['with cors', { cors: true }],
    ['on an address of the network', { host: '0.0.0.0' }],
  ])('may be any name %s', async (_, options) => {
    const { server } = await serve(options)

    expect(await sendRaw(server.port, requestFor('host: mock.test'))).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('connections of the server', () => {
  it('serve one request after the other, each with its length', async () => {
    const { server, withKey } = await serve()

    const response = await sendRaw(
      server.port,
      withKey(`${list}?limit=1`).repeat(3) + withKey('/x', 'connection: close\r\n'),
    )

    expect(response.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
    expect(response.match(/content-length: \d+/gi)).toHaveLength(4)
  })

  it('may be a thousand at once', async () => {
    const { server, withKey } = await serve()
    const sockets = Array.from({ length: 1000 }, () => connect(server.port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))

    const responses = await Promise.all(
      sockets.map((socket) => {
        socket.write(withKey(`${list}?limit=1`, 'connection: close\r\n'))
        return text(socket)
      }),
    )

    expect(responses.filter((response) => response.startsWith('HTTP/1.1 200 OK'))).toHaveLength(1000)
  })
})

describe('cors', () => {
  it('lets web pages read responses, error responses and preflight responses', async () => {
    const { server, key, mock } = await serve({ cors: true })

    const before = await sendRequest(server, list, { 'access-control-request-headers': 'x-api-key' }, 'OPTIONS')
    const page = await sendRequest(server, list, key)
    const rejected = await sendRequest(server, list)

    expect([before.status, page.status, rejected.status]).toEqual([204, 200, 401])
    expect(before.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*, authorization',
      'access-control-allow-methods': 'GET, HEAD',
    })
    expect(before.headers['content-length']).toBeUndefined()
    for (const { headers } of [before, page, rejected]) expect(headers['access-control-allow-origin']).toBe('*')
    expect(mock.requests.map(({ status }) => status)).toEqual([200, 401])
  })

  it('is off by default', async () => {
    const { server, key } = await serve()

    const before = await sendRequest(server, list, key, 'OPTIONS')
    const page = await sendRequest(server, list, key)

    expect([before.status, before.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
  })
})

it('says how to pass the mock where it is given in place of the options', async () => {
  await expect(startMockServer(createMockLedger() as never)).rejects.toThrow('must be an object such as { mock }')
})

describe('the address to listen on', () => {
  it.each([
    ['EACCES', 'Cannot listen on port 80 of 127.0.0.1: permission denied; choose a port above 1023, or 0 for a'],
    ['EAI_AGAIN', 'Cannot listen on port 80 of 127.0.0.1: the host name could not be resolved; try an'],
  ])('is rejected with a reason: %s', async (code, message) => {
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function listen(this: Server) {
      queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })))
      return this
    })
    onTestFinished(() => void vi.restoreAllMocks())

    const mock = createMockLedger({ transactions: 0 })

    await expect(startMockServer({ mock, port: 80 })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    })
  })

  it('may be in brackets, as IPv6 addresses are in a URL', async () => {
    // Not ::1, which not every machine has.
    const { server } = await serve({ host: '[127.0.0.1]' })

    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
  })
})

describe('server.close', () => {
  it('does not wait for idle connections, those without a request, or hanging responses', async () => {
    const { server, mock, withKey } = await serve({ closeMs: 60_000 })
    mock.guild.fault({ kind: 'hang' })
    const [idle, hanging] = [withKey('/x'), withKey(list)].map((given) => {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(given)
      return socket
    })
    // Fetch of Node opens one in place of each that it gives up.
    const unused = connect(server.port, '127.0.0.1')
    const sockets = [idle as Socket, hanging as Socket, unused]
    await Promise.all([once(sockets[0] as Socket, 'data'), once(unused, 'connect')])
    await expect.poll(() => mock.guild.requests.length).toBe(2)
    const closed = sockets.map(async (socket) => once(socket, 'close'))

    await server.close()

    await Promise.all(closed)
  })

  it('frees the port at once, lets a request in flight finish, and closes its connection', async () => {
    const { server, mock, key } = await serve({ closeMs: 60_000 })
    mock.guild.fault({ kind: 'latency', ms: 100 })
    const response = sendRequest(server, list, key)
    await expect.poll(() => mock.guild.requests.length).toBe(1)

    const closing = Promise.all([server.close(), server.close()])
    await using other = await startMockServer({ mock: createMockLedger(), port: server.port })

    expect(other.port).toBe(server.port)
    expect(await response).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await closing
  })

  it('breaks connections after closeMs', async () => {
    const { server, mock, key } = await serve({ closeMs: 30 })
    mock.guild.fault({ kind: 'latency', ms: 3_600_000 })
    const response = sendRequest(server, list, key)
    const broken = response.catch((error: unknown) => error)
    await expect.poll(() => mock.guild.requests.length).toBe(1)

    await server.close()

    expect(await broken).toMatchObject({ code: 'ECONNRESET' })
  })
})
