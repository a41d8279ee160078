import { GuildLedger } from '@guild-ledger/sdk'
import type { StandardSchema } from '@guild-ledger/sdk/contract'
import { failureOf, stubService } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'

const client = (body: unknown = {}) => {
  const service = stubService(() => Response.json(body))
  return { ledger: new GuildLedger({ ...service.options, baseUrl: 'https://ledger.example/v1' }), sent: service.sent }
}

it('requests another path with the same key, below the path of baseUrl', async () => {
  const { ledger, sent } = client({ any: 'thing' })

  expect(await ledger.get('/guild/discharges', { query: { page: 2, odd: undefined, none: null, a: 'b c' } })).toEqual({
    any: 'thing',
  })
  expect(sent[0]?.url).toBe('https://ledger.example/v1/guild/discharges?page=2&a=b+c')
  expect(sent[0]?.init.headers).toMatchObject({ 'x-api-key': 'key-of-a-guild' })
})

it('resolves with what a zod schema makes of the response body', async () => {
  const { ledger } = client({ count: 1, more: true })

  const count: number = (await ledger.get('/guild/discharges', { schema: z.object({ count: z.number() }) })).count

  expect(count).toBe(1)
})

it('applies any schema of the Standard Schema specification, asynchronous ones too', async () => {
  const schema: StandardSchema<string> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: async (value) =>
        Array.isArray(value)
          ? { value: value.join('+') }
          : { issues: [{ message: 'an array', path: ['a', { key: 0 }] }, { message: 'x' }] },
    },
  }

  expect(await client(['x', 'y']).ledger.get('/x', { schema })).toBe('x+y')
  await expect(client({ a: [1] }).ledger.get('/x', { schema })).rejects.toMatchObject({
    code: 'invalid_response',
    message:
      'GET /x failed: the response violates the contract: `a[0]` does not match the schema: an array. ' +
      'the body does not match the schema: x. Check the schema.',
    issues: [
      { path: 'a[0]', expected: 'an array', received: '1' },
      { path: '', expected: 'x', received: 'an object with 1 field' },
    ],
  })
})

it.each([[Object.freeze({ shared: true })], [{ shared: true }]])(
  'returns the value of a schema itself, without the hidden response of a page',
  async (value) => {
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value }) } } as const

    expect(await client().ledger.get('/x', { schema })).toBe(value)
    expect(Reflect.ownKeys(value)).toEqual(['shared'])
  },
)

const notAbsolute = ['', 'guild', '//elsewhere.example/x', 'https://elsewhere.example', ['/guild/discharges'], 7]
const dots = ['/a/../b', '/a/%2e%2e/b', '/a/.', '/a/%2E', '/a/.%2e', '/guild/..%2f..%2Fadmin', '/guild/%2E%2e%5cadmin']
const notOnlyPath = ['/a?b=1', '/a#b', '/a\\b', '/a b', '/a\nb', '/a/..\u0001', '/a\u0000', '/a/\ud800']
it.each([...notAbsolute, ...dots, ...notOnlyPath])('rejects the path %j before sending', async (path) => {
  const { ledger, sent } = client()

  const error = { code: 'invalid_parameter', issues: [{ path: 'path' }] }
  await expect(ledger.get(path as string)).rejects.toMatchObject(error)
  expect(sent).toEqual([])
})

it.each(['/guild/..discharges', '/guild/a%2fb', '/guild/...'])('sends the unusual path %s as it is', async (path) => {
  const { ledger, sent } = client()

  await ledger.get(path)

  expect(sent[0]?.url).toBe(`https://ledger.example/v1${path}`)
})

it.each<[string, unknown]>([
  ['with an array', { a: [1, 2] }],
  ['with an object', { a: {} }],
  ['with NaN', { a: Number.NaN }],
  ['with an invalid Date', { a: new Date(Number.NaN) }],
  ['with a symbol', { a: Symbol('s') }],
  ['with a lone surrogate', { a: '\ud800' }],
  ['with a name that has a lone surrogate', { 'half \ud800': 'x' }],
  ['that is a URLSearchParams', new URLSearchParams({ a: '1' })],
  ['that is a string', 'a=1'],
])('rejects a query %s before sending', async (_, query) => {
  const { ledger, sent } = client()

  await expect(ledger.get('/x', { query: query as never })).rejects.toMatchObject({ code: 'invalid_parameter' })
  expect(sent).toEqual([])
})

it('rejects a schema that is no Standard Schema before sending', async () => {
  const { ledger, sent } = client()

  const error = { code: 'configuration', option: 'schema' }
  await expect(ledger.get('/x', { schema: {} as never })).rejects.toMatchObject(error)
  expect(sent).toEqual([])
})

it('rejects the option validation, because a schema of get is always enforced', async () => {
  const options: object = { validation: 'off' }

  expect(await failureOf(client().ledger.get('/guild/discharges', options))).toHaveProperty(
    'message',
    expect.stringMatching(/^Unknown option `validation`/),
  )
})

it('shows a key that was passed as a path in no error and no line', async () => {
  const service = stubService(() => Response.json({}, { status: 418 }))
  const apiKey = 'glk-0123456789abcdef'
  const ledger = new GuildLedger({ ...service.options, apiKey, logLevel: 'debug' })

  const failure = await failureOf(ledger.get(`/x/${apiKey}`, { query: { token: apiKey } }))

  expect(failure).toMatchObject({
    endpoint: '/x/[api key]',
    url: 'https://ledger.example/x/[api key]?token=[redacted]',
    message: expect.stringMatching(/^GET \/x\/\[api key\] failed: 418 /),
  })
  expect(service.lines.join()).not.toContain(apiKey)
})
