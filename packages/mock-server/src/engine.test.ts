import { describe, expect, it } from 'vitest'
import { createEngine } from './engine.ts'
import type { Question } from './answer.ts'
import type { Service } from './service.ts'

/** Answers with what it was asked. */
const echo: Service = {
  ask: ({ search, ...rest }: Question) => ({
    status: 200,
    body: { success: false, message: JSON.stringify({ ...rest, search: new URLSearchParams(search).toString() }) },
  }),
}
const engine = createEngine(echo, async () => {})
const get = async (url: string, init?: RequestInit) => engine.handle(new Request(url, init))
const heard = async (response: Response) => {
  const { message } = (await response.json()) as { message: string }
  return JSON.parse(message) as unknown
}

describe('routes', () => {
  it('knows list-all', async () => {
    const response = await get('https://a.test/guild/ledger/transactions?page=2&from=a%20b#top', {
      headers: { 'X-API-Key': 'secret' },
    })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await heard(response)).toEqual({
      method: 'GET',
      endpoint: 'guild',
      platformId: '',
      apiKey: 'secret',
      search: 'page=2&from=a+b',
    })
  })

  it.each([
    ['8412', '8412'],
    ['a%2Fb', 'a/b'],
    ['%E2%82%AC%20', '€ '],
    ['transactions', 'transactions'],
    ['%252e', '%2e'],
  ])('decodes the user %s', async (segment, platformId) => {
    const response = await get(`https://a.test/guild/ledger/${segment}/transactions`)

    expect(await heard(response)).toMatchObject({ endpoint: 'user', platformId })
  })

  it.each([
    '/',
    '',
    '/guild/discharges',
    '/guild/ledger/transactions/',
    '/Guild/ledger/transactions',
    '/guild/ledger//transactions',
    '/guild/ledger/./transactions',
    '/guild/ledger/..%2f/x/transactions',
    '/guild/ledger/%2E./transactions',
    '*',
    '//guild/ledger/transactions',
  ])('answers 404 to %j', (target) => {
    const { status, body } = engine.answer({ method: 'GET', target, apiKey: null })

    expect(status).toBe(404)
    expect(JSON.parse(body)).toEqual({ success: false, message: 'No such path' })
  })
})

describe('methods', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const response = await get('https://a.test/guild/ledger/transactions', { method })

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await response.json()).toMatchObject({ success: false })
  })

  it('answers HEAD like GET, without the body', async () => {
    const response = await get('https://a.test/guild/ledger/transactions', { method: 'HEAD' })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.body).toBeNull()
  })
})

it.each(['/guild/ledger/%E0%A4%A/transactions', '/guild/ledger/%/transactions', '/guild/ledger/transactions?from=%zz'])(
  'answers 400 to the broken encoding of %s',
  (target) => {
    const { status, body } = engine.answer({ method: 'GET', target, apiKey: null })

    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({ success: false, message: expect.stringContaining('percent-encoding') })
  },
)
