import { Agent } from 'node:http'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { stubThrottle } from './throttle-stub.ts'

const page = () => Response.json(guildResponse)
const failed = (message: string, code?: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), code !== undefined && { code }) })
const rejects = (message: string) => () => Promise.reject(new Error(message))
const throwing = (error: unknown) => () => {
  throw error
}
const notFound = failed('getaddrinfo ENOTFOUND ledger.example', 'ENOTFOUND')

let origins = 0
/** An origin that has not responded to any client of this process. */
const newOrigin = () => `https://ledger-${++origins}.example`

/** A client whose requests end one after the other as listed: by a response, or by what is thrown. */
const clientOf = (...ends: readonly unknown[]) => {
  const service = stubService((count) => {
    const end = ends[Math.min(count, ends.length) - 1]
    if (end instanceof Response) return end.clone()
    throw end
  })
  const own = { baseUrl: newOrigin(), retry: { baseDelayMs: 0 }, logLevel: 'off' } as const
  const options: GuildLedgerOptions = { ...service.options, ...own }
  return { ledger: new GuildLedger(options), sent: service.sent, options }
}

it.each<[string, unknown, string]>([
  ['an unknown host', notFound, 'the host is unknown'],
  ['an expired certificate', failed('certificate has expired', 'CERT_HAS_EXPIRED'), 'the certificate of this address'],
  ['no https', failed('wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER'), 'no https at this address'],
  ['a self-signed certificate', failed('', 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'the certificate of this address'],
  ['an unknown issuer', failed('unable', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'the certificate of this address'],
  ['an issuer that Deno does not know', failed('invalid peer certificate: UnknownIssuer'), 'the certificate of this'],
  ['a proxy that refuses', failed('Proxy response (403) !== 200 when HTTP Tunneling'), 'the proxy refused to connect'],
  ['a dispatcher that was closed', failed('The client is destroyed', 'UND_ERR_DESTROYED'), 'is closed'],
  ['a page of another origin', new Error('CORS error: no `Access-Control-Allow-Origin`'), 'the service does not allow'],
  ['an alert of TLS', failed('write EPROTO 1:ssl/tls alert handshake failure:', 'EPROTO'), 'no agreement on TLS'],
  ['no certificate of the client', failed('', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'no agreement on TLS'],
  ['another protocol', failed('does not match the HTTP/1.1 protocol (Expected HTTP/)'), 'no http at this address'],
  ['HTML that a `fetch` parses', new SyntaxError(`Unexpected token '<', "<html>" is not valid JSON`), 'SyntaxError'],
])('%s is a mistake before the first response, and transient after it', async (_, cause, meaning) => {
  const before = clientOf(cause)
  const after = clientOf(page(), cause, cause, page())

  expect(await failureOf(before.ledger.transactions.list())).toMatchObject({
    code: 'connection',
    actor: 'author',
    retryable: false,
    attempts: 1,
    message: expect.stringContaining(meaning),
  })
  await after.ledger.transactions.list()
  expect((await after.ledger.transactions.list()).response.attempts).toBe(3)
})

it('takes an unknown host for a failure of the resolver once another client of the process had a response', async () => {
  const earlier = clientOf(page())
  const later = clientOf(notFound)
  const ofThatOrigin = new GuildLedger({ ...later.options, baseUrl: earlier.options.baseUrl })
  await earlier.ledger.transactions.list()

  expect(await failureOf(ofThatOrigin.transactions.list())).toMatchObject({ actor: 'nobody', attempts: 3 })
  expect(await failureOf(later.ledger.transactions.list())).toMatchObject({ actor: 'author', attempts: 1 })
})

it.each([
  ['HTML', new Response('<html>Sign in</html>')],
  ['nothing', new Response('')],
  ['a 403 of a firewall', new Response('<h1>Forbidden</h1>', { status: 403 })],
  ['a 405 of a firewall', new Response('<h1>Not allowed</h1>', { status: 405 })],
  ['a 406 of mod_security', new Response('<h1>Not acceptable</h1>', { status: 406 })],
  ['a 451 of a firewall', new Response('<h1>Not here</h1>', { status: 451 })],
  ['a 404 of Traefik during a deployment', new Response('404 page not found\n', { status: 404 })],
  ['a 403 of a firewall that speaks JSON', Response.json({ success: false, errors: [1020] }, { status: 403 })],
])('%s is a mistake before the first good response, and transient after it', async (_, response) => {
  const before = clientOf(response)
  const after = clientOf(page(), response, response, page())

  expect(await failureOf(before.ledger.transactions.list())).toMatchObject({ actor: 'author', retryable: false })
  expect(await failureOf(before.ledger.transactions.list())).toMatchObject({ actor: 'author', retryable: false })
  expect(before.sent).toHaveLength(2)
  await after.ledger.transactions.list()
  expect((await after.ledger.transactions.list()).response.attempts).toBe(3)
})

it.each([
  ['JSON of the service that breaks off', new Response('{"success":true,"data":[{"platformId":"8412"')],
  ['a 200 that names a rate limit', Response.json(errorBody('Request was throttled.'))],
  ['a 403 that names a rate limit', Response.json(errorBody('API rate limit exceeded'), { status: 403 })],
])('%s is transient, also as the first response', async (_, response) => {
  const { ledger } = clientOf(response, page())

  expect((await ledger.transactions.list()).response.attempts).toBe(2)
})

it.each([
  ['a 403 with a message', Response.json({ message: 'Forbidden' }, { status: 403 })],
  ['a 404 with a message', Response.json({ message: 'no Route matched with those values' }, { status: 404 })],
  ['an error with status 200', Response.json({ message: 'upstream unavailable' })],
  ['a list', Response.json([])],
  ['null', Response.json(null)],
])('JSON of a gateway is transient after a good response of the service: %s', async (_, response) => {
  const { ledger } = clientOf(page(), response, response, response, page())
  await ledger.transactions.list()

  const listed = await failureOf(ledger.transactions.list({}, { maxRetries: 0 }))
  const iterated = await failureOf(ledger.transactions.iterate({}, { retryForMs: 0, maxRetries: 0 }).next())
  expect([listed, iterated]).toMatchObject([{ actor: 'nobody', retryable: true }, { retryable: true }])
})

it.each([302, 303, 307])('a redirect with status %i passes after good responses', async (status) => {
  const response = new Response(null, { status, headers: { location: '/maintenance' } })
  const before = clientOf(response)
  const after = clientOf(page(), response, response, page())
  await after.ledger.transactions.list()

  expect(await failureOf(before.ledger.transactions.list())).toMatchObject({ code: 'redirect_refused', attempts: 1 })
  expect((await after.ledger.transactions.list()).response.attempts).toBe(3)
})

it.each([
  ['a permanent redirect', new Response(null, { status: 301, headers: { location: '/new' } })],
  ['a 403 with the error body', Response.json({ success: false, message: 'No scope' }, { status: 403 })],
  ['a 405 with the error body', Response.json({ success: false, message: 'Only GET' }, { status: 405 })],
  ['a 404 with the error body', Response.json({ success: false, message: 'No such user' }, { status: 404 })],
  ['a page without users', Response.json({ ...guildResponse, data: null })],
])('what the service itself responds stays final: %s', async (_, response) => {
  const { ledger } = clientOf(page(), response)
  await ledger.transactions.list()

  expect(await failureOf(ledger.transactions.list())).toMatchObject({ retryable: false, attempts: 1 })
})

it('takes JSON that is not a page of the service for no good response', async () => {
  const { ledger } = clientOf(Response.json({ status: 'ok' }), new Response('<h1>Forbidden</h1>', { status: 403 }))
  await failureOf(ledger.transactions.list())

  expect(await failureOf(ledger.transactions.list())).toMatchObject({ actor: 'author', retryable: false })
})

it('names the rate limit of a gateway in the advice for its 403 after good responses', async () => {
  const { ledger } = clientOf(page(), new Response('<h1>Forbidden</h1>', { status: 403 }))
  await ledger.transactions.list()

  const message = expect.stringContaining('perhaps because of its own rate limit')
  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'forbidden', message })
})

const breaksOff = new ReadableStream({ pull: (controller) => controller.error() })

it.each([
  ['a 403 with HTML', new Response('<h1>Forbidden</h1>', { status: 403 }), true],
  ['a 403 with JSON of a gateway', Response.json({ message: 'Forbidden' }, { status: 403 }), true],
  ['a 403 with nothing', new Response(null, { status: 403 }), true],
  ['a 403 that breaks off', new Response(breaksOff, { status: 403 }), true],
  ['a 403 of the service', Response.json(errorBody('No scope'), { status: 403 }), false],
  ['a 418', new Response('teapot', { status: 418 }), true],
  ['a redirect to a page that asks to be slower', new Response(null, { status: 302 }), true],
  ['a permanent redirect', new Response(null, { status: 301 }), false],
  ['HTML with status 200', new Response('<h1>Slow down</h1>'), true],
  ['JSON of the service without its media type', new Response(JSON.stringify(guildResponse)), false],
  ['a 404 with HTML', new Response('Cannot GET /guild/x', { status: 404 }), false],
  ['a 404 of the service', Response.json(errorBody('No such user'), { status: 404 }), false],
  ['a 400 about a separate limit', Response.json(errorBody('Send a separate limit'), { status: 400 }), false],
  ['a 400 that names a rate limit', Response.json(errorBody('Too many requests'), { status: 400 }), true],
])('says to the throttle whether a response is a refusal of a gateway: %s', async (_, response, isOne) => {
  const { throttle, outcomes } = stubThrottle()
  const { options } = stubService((count) => (count === 2 ? page() : response.clone()))
  const ledger = new GuildLedger({ ...options, throttle, logLevel: 'off' })

  for (let i = 0; i < 3; i++) await ledger.transactions.list({}, { maxRetries: 0 }).catch(() => {})

  const ended = { kind: 'completed', retryAfterMs: undefined }
  const last = { ...ended, status: response.status, ...(isOne && { isRefusal: true }) }
  expect(outcomes.slice(1)).toEqual([{ ...ended, status: 200 }, last])
})

it("shows none of a body that is the service's own and breaks off", async () => {
  const { ledger } = clientOf(new Response('{"data":[{"platformId":"8412","transactions":['))

  const { message } = (await failureOf(ledger.transactions.list())) as Error

  expect(message).toContain('got incomplete JSON of the service, 46 characters')
  expect(message).not.toContain('8412')
})

const undefinedValue = undefined as unknown as { readonly headers: string }
const read = new Response('{}')
await read.text()
const notAFetchResponse = { headers: new Headers(), body: null, text: () => '' }
const jsdom = "Failed to execute 'fetch' on 'Window': member signal is not of type AbortSignal."
const lookup = 'dns error: failed to lookup address information:'
const noResponse = 'with status, headers and body'
const proxyPassword = 'the proxy did not accept its user name and password'
const statusThrown = 'instead of returning the response with status 404'
const ofStatus = (fields: object) => () => Promise.reject(Object.assign(new Error('Not Found'), fields))
const noBody = new TypeError("Failed to execute 'fetch' on 'Window': Request with GET/HEAD method cannot have body.")
const otherUndici = failed('invalid onRequestStart method', 'UND_ERR_INVALID_ARG')
const unexpectedCall = Object.assign(new Error('Unexpected call: fetch()'), { name: 'ExpectationError' })
const requestFailed = Object.assign(new Error('Request failed'), { statusCode: 404 })
const tunneling407 = failed('Proxy response (407) !== 200 when HTTP Tunneling', 'UND_ERR_ABORTED')
const noTunnel = 'tunneling socket could not be established, statusCode=407'
const notMatched = failed("Mock dispatch not matched for path '/guild'", 'UND_MOCK_ERR_MOCK_NOT_MATCHED')
const agent = { dispatcher: new Agent() } as unknown as RequestInit
it.each<[string, () => unknown, string]>([
  ['a name that does not exist', () => (globalThis as never as { nope: () => void }).nope(), 'is not a function'],
  ['a property of undefined', () => undefinedValue.headers, 'Cannot read properties of undefined'],
  ['a failed assertion', () => expect(1).toBe(2), 'AssertionError'],
  ['a wrong argument', () => Buffer.alloc(-1), 'ERR_OUT_OF_RANGE|RangeError|out of range'],
  ['a response without headers', () => ({ status: 200, text: async () => '{}' }), noResponse],
  ['a response without a body', () => ({ status: 200, headers: new Headers() }), noResponse],
  ['a status that is a string', () => ({ status: '200', headers: new Headers(), body: null }), 'got something else'],
  ['a status that is not one', () => ({ ...notAFetchResponse, status: Number.NaN }), 'got something else'],
  ['a response that was read before', () => read, 'whose body was read before'],
  ['an address without an origin', () => fetch('/guild'), 'Invalid URL'],
  ['an assertion of Jest', rejects('\u001B[2mexpect(\u001B[22mreceived)'), 'fetch. threw'],
  ['a port that fetch forbids', () => fetch('http://127.0.0.1:6667/'), 'does not allow the port'],
  ['a port that Deno forbids', rejects('Fetch failed: Requests to port 6667 are blocked'), 'does not allow the port'],
  ['a signal of jsdom', () => fetch('http://127.0.0.1/', { signal: {} as AbortSignal }), 'an instance of AbortSignal'],
  ['a signal of Node, in jsdom', throwing(new TypeError(jsdom)), 'is not of type AbortSignal'],
  ['a dispatcher of another undici', throwing(otherUndici), 'one of another version'],
  ['an agent of node:http as dispatcher', () => fetch('http://127.0.0.1:1024/', agent), 'is no `Agent` of undici'],
  ['what an editor fills in', rejects('Function not implemented.'), 'threw Error: Function not implemented'],
  ['a request that Pretender does not know', rejects('intercepted GET /x but no handler was defined'), '`fetch` threw'],
  ['a body, in Chrome', throwing(noBody), 'threw TypeError: Failed to execute'],
  ['an unexpected call, in sinon', throwing(unexpectedCall), 'Unexpected call'],
  ['an error of ky for a status', ofStatus({ response: new Response('', { status: 404 }) }), statusThrown],
  ['an error of axios for a status', ofStatus({ response: { status: 404, data: {} } }), statusThrown],
  ['an error of got for a status', ofStatus({ response: { statusCode: 404 } }), statusThrown],
  ['an error of undici for a status', ofStatus({ statusCode: 404 }), statusThrown],
  ['an error of superagent for a status', ofStatus({ status: 404 }), statusThrown],
  ['an error of a retrying dispatcher of undici for a status', ofStatus({ cause: requestFailed }), statusThrown],
  ['a proxy that wants a password', throwing(tunneling407), proxyPassword],
  ['a proxy of another library that wants a password', rejects(noTunnel), proxyPassword],
  ['a proxy that wants a password, in curl', rejects('CONNECT tunnel failed, response 407'), proxyPassword],
  ['a certificate, in Electron', rejects('net::ERR_CERT_DATE_INVALID'), 'the certificate of'],
  ['no https, in Electron', rejects('net::ERR_SSL_PROTOCOL_ERROR'), 'no https at this address'],
  ...[
    'dns error: No such host is known. (os error 11001)',
    `${lookup} Name or service not known`,
    `${lookup} Name does not resolve`,
    `${lookup} No address associated with hostname`,
    'Unable to resolve host "ledger.example"',
    'Could not resolve host: ledger.example',
    "Couldn't resolve host name",
  ].map((said): [string, () => unknown, string] => [
    `an unknown host (${said})`,
    throwing(new TypeError(`error sending request: ${said}`)),
    'the host is unknown',
  ]),
  ['more requests than a Worker may send', rejects('Too many subrequests.'), 'this Worker'],
  ['more calls than a Worker may make', rejects('Too many API requests by single worker invocation.'), 'this Worker'],
  ['nock without this host', rejects('Nock: Disallowed net connect for "x:443/"'), 'test double'],
  ['fetch-mock without this address', rejects('No fallback response defined for GET to https://x/'), 'test double'],
  ['a test double without a handler', throwing(notMatched), 'a test double does not know this request'],
])('%s is a mistake of the author, named and not repeated', async (_, fetchOnce, meaning) => {
  const { options, sent } = stubService(async () => (await fetchOnce()) as Response)
  const own = { baseUrl: newOrigin(), retry: { baseDelayMs: 0 } } as const
  const ledger = new GuildLedger({ ...options, ...own })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    actor: 'author',
    retryable: false,
    message: expect.stringMatching(meaning),
  })
  expect(sent).toHaveLength(1)
})

const ofAllAddresses = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:1')], ''), {
  code: 'ECONNREFUSED',
})
const throwingGet = { get: throwing(new Error('a getter')) }
const getters = { code: throwingGet, cause: throwingGet, digest: throwingGet }
const withGetters = Object.defineProperties(new Error('socket hang up'), getters)
const cors = 'Check baseUrl and the network, and that the service allows requests of this page (CORS), or try again.'

it.each([
  ['of Node', failed('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'), 'connect ECONNREFUSED 127.0.0.1:1'],
  ['with a wrong header', failed('the HTTP/1.1 protocol (Invalid header token)'), 'Invalid header token'],
  ['of Bun', new TypeError('Unable to connect. Can it access the url?'), 'Can it access the url. Check baseUrl'],
  ['of Chrome', new TypeError('Failed to fetch'), `Failed to fetch. ${cors}`],
  ['of Safari', new TypeError('Load failed'), `Load failed. ${cors}`],
  ['of Firefox', new TypeError('NetworkError when attempting to fetch resource.'), `to fetch resource. ${cors}`],
  ['of Deno', new TypeError('error sending request for url (https://ledger.example/)'), 'error sending request'],
  ['of React Native', new TypeError('Network request failed'), 'Network request failed'],
  ['of Workers', new Error('Network connection lost.'), 'Network connection lost'],
  ['of a resolver', failed('getaddrinfo EAI_AGAIN ledger.example', 'EAI_AGAIN'), 'getaddrinfo EAI_AGAIN'],
  [
    'of all addresses of a host',
    new TypeError('fetch failed', { cause: ofAllAddresses }),
    'connect ECONNREFUSED ::1:1',
  ],
  [
    'that undici asserts of status 000',
    failed('assert(statusCode >= 100)', 'ERR_ASSERTION'),
    'assert(statusCode >= 100)',
  ],
  ['that timed out in Safari', new TypeError('The request timed out.'), 'The request timed out'],
  ['that Safari cancelled', new TypeError('cancelled'), 'cancelled'],
  [
    'with a status that passes',
    Object.assign(new Error(''), { response: { status: 503 } }),
    'response with status 503',
  ],
  ['while got or axios read', Object.assign(new Error('aborted'), { response: { status: 200 } }), 'aborted'],
  ['to a proxy at port 443', failed('connect ECONNREFUSED proxy:443', 'ECONNREFUSED'), 'ECONNREFUSED proxy:443'],
  ['that is a string', 'timeout of 0ms exceeded', 'timeout of 0ms exceeded'],
  ['that is null', null, 'the connection failed'],
  ['that only has a location', { location: 'eu-west-1' }, 'the connection failed'],
  ['that is frozen', Object.freeze(new Error('read ECONNRESET')), 'read ECONNRESET'],
  ['with getters that throw', withGetters, 'socket hang up'],
])('a failed connection %s is transient, with its reason', async (_, thrown, reason) => {
  const { ledger, sent } = clientOf(thrown)

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    name: 'ConnectionError',
    code: 'connection',
    actor: 'nobody',
    retryable: true,
    attempts: 3,
    message: expect.stringContaining(reason),
    cause: expect.any(Error),
  })
  expect(sent).toHaveLength(3)
})

it('keeps reason, code and cause of an error of another realm, as fetch throws it in Jest', async () => {
  const thrown: unknown = runInNewContext(`
    const inner = Object.assign(new Error('getaddrinfo ENOTFOUND ledger.example'), { code: 'ENOTFOUND' })
    new TypeError('fetch failed', { cause: inner })
  `)
  const { ledger } = clientOf(thrown)

  expect(thrown).not.toBeInstanceOf(Error)
  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    actor: 'author',
    attempts: 1,
    message: expect.stringContaining('the host is unknown'),
    cause: { message: 'fetch failed', cause: { code: 'ENOTFOUND' } },
  })
})

it.each([true, false])('rejects with an AbortError where a signal has no reason (early: %s)', async (isEarly) => {
  const listeners = new Set<() => void>()
  const signal = {
    aborted: isEarly,
    addEventListener: (_: 'abort', one: () => void) => listeners.add(one),
    removeEventListener: () => {},
  }
  const ledger = new GuildLedger({ ...stubService(() => new Promise(() => {})).options })

  const options = { signal: signal as unknown as AbortSignal }
  const calls = [ledger.transactions.list({}, options), ledger.get('/x', options)].map(failureOf)
  listeners.forEach((abort) => abort())

  expect(await Promise.all(calls)).toMatchObject([{ name: 'AbortError' }, { name: 'AbortError' }])
})

it('takes dates, addresses and signals of another realm', async () => {
  const { sent, options } = stubService(page)
  const { date, signal } = runInNewContext(
    '({ date: new Date(0), signal: { aborted: false, addEventListener() {}, removeEventListener() {} } })',
  ) as { readonly date: Date; readonly signal: AbortSignal }
  const baseUrl = { href: options.baseUrl, toString: () => options.baseUrl } as URL

  await new GuildLedger({ ...options, baseUrl, apiKeyExpiresAt: date, logLevel: 'off' }).transactions.list(
    { startDate: date },
    { signal },
  )

  expect(sent[0]?.url).toContain('startDate=1970-01-01T00%3A00%3A00.000Z')
})

it('takes a TypeError that no table knows for the network once there was a response', async () => {
  const translated = new TypeError('La conexión a Internet parece estar desactivada.')
  const { ledger } = clientOf(page(), translated, page())
  await ledger.transactions.list()

  expect((await ledger.transactions.list()).response.attempts).toBe(2)
})

const bailout = Object.assign(new Error('`dynamic = "error"`'), { code: 'NEXT_STATIC_GEN_BAILOUT' })
const controlFlow: readonly [string, unknown][] = [
  ['Next.js', Object.freeze(Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' }))],
  ['Next.js, for a page that must be static', bailout],
  ['React', { $$typeof: Symbol.for('react.postpone'), message: 'Route needs to bail out of prerendering' }],
  ['SvelteKit', { status: 307, location: '/login' }],
  ['React Router', Response.redirect('https://ledger.example/login')],
  ['TanStack Router', { isNotFound: true }],
]

it.each(controlFlow)('passes on the control flow of %s as it is, unrepeated', async (_, thrown) => {
  const { options, sent } = stubService(throwing(thrown))
  const ledger = new GuildLedger({ ...options, retry: { baseDelayMs: 0 } })

  expect(await failureOf(ledger.transactions.list())).toBe(thrown)
  expect(await failureOf(ledger.transactions.iterate().next())).toBe(thrown)
  expect(await failureOf(ledger.transactions.watch({}, { follow: false }).next())).toBe(thrown)
  expect(sent).toHaveLength(3)
})

it('reads neither the date nor a random number in a call that succeeds, where Next.js ends its prerender', async () => {
  vi.resetModules()
  const sdk = await import('@guild-ledger/sdk')
  const fetch = async () => Response.json(guildResponse, { headers: { date: new Date().toUTCString() } })
  const ledger = new sdk.GuildLedger({ apiKey: 'key-of-a-guild', baseUrl: newOrigin(), fetch })
  const spies = [vi.spyOn(Date, 'now'), vi.spyOn(Math, 'random')]

  await ledger.transactions.list()
  await Array.fromAsync(ledger.transactions.iterate())

  expect(spies.map(({ mock }) => mock.calls)).toEqual([[], []])
})

const fromApiKey = [...controlFlow, ['SvelteKit, an error', { status: 401, body: { message: 'log in' } }]] as const
it.each(fromApiKey)('passes on the control flow of %s from the function of `apiKey`, too', async (_, thrown) => {
  const { options, sent } = stubService(page)
  const ledger = new GuildLedger({ ...options, apiKey: () => Promise.reject(thrown) })

  expect(await failureOf(ledger.transactions.list())).toBe(thrown)
  expect(sent).toHaveLength(0)
})

const asJson = (message: string) => JSON.stringify({ message })
it.each<[string, (path: string) => string]>([
  ['node-fetch', (path) => `request to https://ledger.example${path} failed, reason: connect ECONNREFUSED`],
  ['Tomcat', (path) => `${path} was not found. The resource ${path} is not available.`],
  ['Express as HTML', (path) => `Cannot GET ${path.replaceAll('&', '&amp;')}`],
  ['Symfony', (path) => asJson(`No route for "GET ${path}"`).replaceAll('/', String.raw`\/`)],
  ['Laravel', (path) => asJson(`The route ${decodeURIComponent(path.slice(1))} could not be found.`)],
  ['Rails', (path) => asJson(`No route matches ${path}`).replaceAll('&', String.raw`\u0026`)],
  ['a firewall', (path) => `blocked: /deny?url=${encodeURIComponent(path)}`],
  ['a proxy with escapes of its own', (path) => `no route for ${path.toLowerCase()}`],
])('replaces what names a user in an address of which %s tells', async (_, say) => {
  const said = (url: string) => say(url.slice(url.indexOf('/guild')))
  const thrown = stubService((_count, { url }) => Promise.reject(new Error(said(url))))
  const responded = stubService((_count, { url }) => new Response(said(url), { status: 404 }))
  for (const { options } of [thrown, responded]) {
    const { user, transactions } = new GuildLedger(options)
    const ofUser = await failureOf(user('jané 8412').transactions.list({ from: 'shop' }))
    const ofGuild = await failureOf(transactions.list({ from: 'shop', platformId: '8412', limit: 5 }))
    expect(inspect([ofUser, ofGuild], { depth: 9 }) + JSON.stringify([ofUser, ofGuild])).not.toMatch(/8412|jan/)
    expect(inspect(ofGuild)).not.toContain('{platformId}')
  }
})

it('shows no user where a redirect leads', async () => {
  const moved = (location: string) => new Response(null, { status: 301, headers: { location } })
  const { options } = stubService((_, { url }) => moved(`${url}/v2`))

  expect(inspect(await failureOf(new GuildLedger(options).user('8412').transactions.list()))).not.toContain('8412')
})

it('works detached and behind any proxy', async () => {
  const { options, sent } = stubService(page)
  // As a framework makes objects reactive: what it hands out are proxies, too.
  const reactive = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name, receiver) {
        const value: unknown = Reflect.get(of, name, receiver)
        return typeof value === 'object' && value !== null ? reactive(value) : value
      },
    })
  const ledger = reactive(new GuildLedger(options))
  const { user, get, verify, toJSON } = new GuildLedger(options)

  const found = reactive(await ledger.transactions.list())
  const ofUsers = [ledger.user('8412'), user('1')].map(({ transactions }) => failureOf(transactions.list()))
  await Promise.all([...ofUsers, ledger.get('/x'), ledger.verify(), get('/x'), verify()])

  expect(found.response.status).toBe(200)
  expect(JSON.stringify(ledger)).toBe('{"baseUrl":"https://ledger.example"}')
  expect(toJSON()).toEqual({ baseUrl: 'https://ledger.example' })
  expect(ledger.throttle).toBeUndefined()
  expect(sent).toHaveLength(7)
  await ledger.close()
})

it('works as a copy, to which a program adds methods of its own', async () => {
  const { options, sent } = stubService(page)
  const ledger = Object.assign({}, new GuildLedger(options), { close: 'of the program' })

  await Promise.all([ledger.get('/x'), ledger.verify(), ledger.transactions.list()])

  expect(sent).toHaveLength(3)
  expect(Object.keys(ledger.user('1'))).toEqual(['transactions'])
  expect(ledger.throttle).toBeUndefined()
})
