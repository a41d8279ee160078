import { expect, it, vi } from 'vitest'
import type { AuthenticationError } from '../errors/index.ts'
import { createApiKeys } from './api-keys.ts'
import { createAuthentication } from './auth.ts'
import type { Fetch } from './options.ts'
import { toApiError } from './to-error.ts'

const key = 'key+of/a guild-1'
const signal = new AbortController().signal
const authentication = (fetch: Fetch, userAgent = {}) =>
  createAuthentication({
    keys: createApiKeys(key, () => {}),
    userAgent,
    baseUrl: 'https://ledger.example/v1',
    fetch,
    maxResponseBytes: 1000,
  })
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

it('asks for JSON and says who asks, unless the request says otherwise', async () => {
  const fetch = vi.fn<Fetch>(async () => new Response('{}'))
  const auth = authentication(fetch, { 'user-agent': 'bot/1' })

  await auth.prepare(request, 'GET /x')(signal)
  await auth.prepare(new Request(request, { headers: { 'user-agent': 'own' } }), 'GET /x')(signal)

  const shared = { accept: 'application/json', 'x-api-key': key }
  expect(fetch.mock.calls.map(([, { headers }]) => headers)).toEqual([
    { ...shared, 'user-agent': 'bot/1' },
    { ...shared, 'user-agent': 'own' },
  ])
})

it('rejects a body that is larger than maxResponseBytes', async () => {
  const read = async (length: number) => {
    const auth = authentication(async () => new Response('x'.repeat(length)))
    return (await auth.prepare(request, 'GET /x')(signal)).text()
  }

  expect(await read(1000)).toHaveLength(1000)
  await expect(read(1001)).rejects.toThrow('the response body must have at most 1000 bytes when decompressed, got more')
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
    expect.objectContaining({ option: 'fetch', message: '`fetch` must return a Response, got something else' }),
  )
})

it('rejects where fetch returns a network error', async () => {
  await expect(authentication(async () => Response.error()).prepare(request, 'GET /x')(signal)).rejects.toThrow(
    'fetch returned a network error',
  )
})

it('rejects with an error where fetch rejects with something else, and does not show it', async () => {
  // oxlint-disable-next-line prefer-promise-reject-errors
  const auth = authentication(() => Promise.reject(key))

  await expect(auth.prepare(request, 'GET /x')(signal)).rejects.toEqual(new Error('the connection failed'))
})

const redirectTo = (location: string) => new Response(null, { status: 301, headers: { location } })
const opaque = { status: 0, type: 'opaqueredirect', headers: new Headers(), body: null, text: async () => '' }
it.each([
  ['to something that is no address', redirectTo('//[::'), 301],
  ['to an empty address', redirectTo(''), 301],
  ['of a browser, which does not say where to', opaque, 0],
  ['of a fetch without web streams', { ...opaque, status: 308, type: 'default', body: {} }, 308],
])('knows no location of a redirect %s', async (_, response, status) => {
  const { text } = await authentication(async () => response).prepare(request, 'GET /guild')(signal)

  await expect(text()).rejects.toEqual(
    expect.objectContaining({
      code: 'redirect_refused',
      location: undefined,
      message: `GET /guild failed: status ${status} is a redirect, which is not followed because the key would be sent along. Check baseUrl.`,
    }),
  )
})

it('says which address a redirect leads to, relative to that of the request, and what baseUrl would be', async () => {
  const { text } = await authentication(async () => redirectTo('/v2/guild?a=1')).prepare(request, 'GET /guild')(signal)

  await expect(text()).rejects.toMatchObject({
    location: 'https://ledger.example/v2/guild',
    message:
      'GET /guild failed: status 301 is a redirect to https://ledger.example/v2/guild, which is not followed because the key would be sent along. If you trust that address, set baseUrl to https://ledger.example/v2.',
  })
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

it('redacts the last 8 keys that a function returned, and keeps no others', async () => {
  let count = 0
  const keys = createApiKeys(
    () => `glk-minted-${++count}-0123456789abcdef`,
    () => {},
  )
  const auth = createAuthentication({
    keys,
    userAgent: {},
    baseUrl: 'https://ledger.example/v1',
    fetch: async () => new Response('{}'),
    maxResponseBytes: 1000,
  })
  const call = { label: 'GET /x', signal: undefined, attemptTimeoutMs: 1000 }
  const error = toApiError({ status: 401, headers: new Headers(), text: '{}', retryAfterMs: undefined }, 'GET /x', 1)
  await keys.ready(call)
  if (keys.isFixed) throw new Error('These keys are those of a function.')
  for (let i = 1; i < 20; i++) {
    await keys.renew(error as AuthenticationError, keys.version, call)
    expect(auth.redact(`<${keys.current}>`)).toBe('<[api key]>')
  }

  expect(keys.seen).toHaveLength(8)
  expect(auth.redact('<glk-minted-13-0123456789abcdef>')).toBe('<[api key]>')
})
