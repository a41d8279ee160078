import { expect, it, vi } from 'vitest'
import { createApiKeys } from './api-keys.ts'
import { createAuthentication, type Authentication } from './auth.ts'
import type { Fetch } from './options.ts'

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
const send = async (auth: Authentication, given = request, label = 'GET /x') =>
  auth.prepare(given, label)(signal, () => false)

it('asks for JSON and says who asks, unless the request says otherwise', async () => {
  const fetch = vi.fn<Fetch>(async () => new Response('{}'))
  const auth = authentication(fetch, { 'user-agent': 'bot/1' })

  await send(auth)
  await send(auth, new Request(request, { headers: { 'user-agent': 'own' } }))

  const shared = { accept: 'application/json', 'x-api-key': key }
  expect(fetch.mock.calls.map(([, { headers }]) => headers)).toEqual([
    { ...shared, 'user-agent': 'bot/1' },
    { ...shared, 'user-agent': 'own' },
  ])
})

const redirectTo = (location: string) => new Response(null, { status: 301, headers: { location } })
const opaque = { status: 0, type: 'opaqueredirect', headers: new Headers(), body: null, text: async () => '' }
it.each([
  ['to something that is no address', redirectTo('//[::'), 'status 301'],
  ['to an empty address', redirectTo(''), 'status 301'],
  ['of a browser, which does not say where to', opaque, 'the response'],
  ['of a fetch without web streams', { ...opaque, status: 308, type: 'default', body: {} }, 'status 308'],
])('knows no location of a redirect %s', async (_, response, what) => {
  await expect(
    send(
      authentication(async () => response),
      request,
      'GET /guild',
    ),
  ).rejects.toEqual(
    expect.objectContaining({
      code: 'redirect_refused',
      location: undefined,
      message: `GET /guild failed: ${what} is a redirect, which is not followed because the key would be sent along. Check baseUrl.`,
    }),
  )
})

it('cancels the body of a redirect instead of reading it', async () => {
  const cancel = vi.fn()
  const redirect = new Response(new ReadableStream({ cancel }), { status: 307 })

  await expect(send(authentication(async () => redirect))).rejects.toMatchObject({
    code: 'redirect_refused',
    message: expect.stringContaining('failed: status 307 is a redirect'),
  })
  expect(cancel).toHaveBeenCalledOnce()
})

it('redacts the last 8 keys that a function returned, and keeps no others', async () => {
  vi.useFakeTimers()
  let count = 0
  const keys = createApiKeys(
    () => `glk-minted-${Math.min(++count, 15)}-0123456789abcdef`,
    () => {},
  )
  const settings = { keys, userAgent: {}, baseUrl: 'https://ledger.example/v1', maxResponseBytes: 1000 }
  const auth = createAuthentication({ ...settings, fetch: async () => new Response('{}') })
  const call = { label: 'GET /x', signal: undefined, attemptTimeoutMs: 1000 }
  await keys.ready(call)
  for (let i = 1; i < 20; i++) {
    await keys.renew(keys.current(), call, () => new Error('401') as never)
    expect(auth.redact(`<${keys.current()}>`)).toBe('<[api key]>')
    vi.advanceTimersByTime(10_000)
  }
  vi.useRealTimers()

  expect(keys.seen()).toHaveLength(8)
  expect(auth.redact('<glk-minted-8-0123456789abcdef>')).toBe('<[api key]>')
  expect(auth.redact('<glk-minted-1-0123456789abcdef>')).toBe('<glk-minted-1-0123456789abcdef>')
})
