import { GuildLedger, type GuildLedgerOptions, type GuildQuery } from '@guild-ledger/sdk'
import { failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'

const methods = ['list', 'pages', 'iterate', 'watch'] as const
const page = () => Response.json(guildResponse)

it.each([
  ['timeoutMs', -1],
  ['attemptTimeoutMs', Number.NaN],
  ['maxRetries', 1.5],
  ['validation', 'some'],
  ['priority', 'high'],
  ['signal', {}],
])('rejects the call option %s: %j before sending', async (name, value) => {
  const service = stubService(page)

  await expect(new GuildLedger(service.options).transactions.list({}, { [name]: value })).rejects.toMatchObject({
    code: 'configuration',
    option: name,
  })
  expect(service.sent).toEqual([])
})

it.each([
  ['list', 'timeout', 'timeoutMs'],
  ['list', 'timeoutMS', 'timeoutMs'],
  ['pages', 'concurency', 'concurrency'],
  ['iterate', 'concurency', 'concurrency'],
  ['watch', 'intervalMS', 'intervalMs'],
] as const)('rejects an unknown option of %s, %s, and suggests %s', async (method, name, suggestion) => {
  const { transactions } = new GuildLedger(stubService(page).options)

  expect(await failureOf(() => transactions[method]({}, { [name]: 5 }))).toMatchObject({
    code: 'configuration',
    option: name,
    message: `Unknown option \`${name}\`. Did you mean \`${suggestion}\`?`,
  })
})

it.each([
  [null, 'null'],
  [[], 'an array of 0'],
  [7, '7'],
  ['page=2', 'a string of 6 characters'],
  [new Map(), 'an object with 0 fields'],
  [new URLSearchParams('page=2'), 'an object with 0 fields'],
])('rejects %o as a query in every method', async (given, received) => {
  const service = stubService(page)
  const ledger = new GuildLedger(service.options)
  const message = `\`query\` must be an object with parameters, got ${received}`

  for (const method of methods) {
    const failure = await failureOf(() => ledger.transactions[method](given as unknown as GuildQuery))
    expect(failure).toHaveProperty('message', message)
  }
  expect(service.sent).toEqual([])
})

it.each([
  [null, 'null'],
  [[], 'an array of 0'],
  [new AbortController(), 'an object with 0 fields'],
])('rejects %o as options of the client and of every method', async (given, received) => {
  const service = stubService(page)
  const ledger = new GuildLedger(service.options)
  const message = `\`options\` must be an object, got ${received}`

  for (const method of methods)
    expect(await failureOf(() => ledger.transactions[method]({}, given as never))).toHaveProperty('message', message)
  expect(await failureOf(ledger.get('/guild/discharges', given as never))).toHaveProperty('message', message)
  expect(() => new GuildLedger(given as never)).toThrow(message)
  expect(service.sent).toEqual([])
})

it('rejects a throttle whose acquire is no function', () => {
  expect(() => new GuildLedger({ ...stubService(page).options, throttle: { acquire: 1 } as never })).toThrow(
    '`throttle` must be a throttle, options for one, or false, got an object with 1 field',
  )
})

it('reads each client option once', () => {
  const reads: string[] = []
  const given = { apiKey: 'k3y', baseUrl: 'https://ledger.example', throttle: false, retry: {}, validation: 'off' }
  const options = new Proxy(given, {
    get: (target, name, self) => (reads.push(String(name)), Reflect.get(target, name, self) as unknown),
  })

  void new GuildLedger(options as GuildLedgerOptions)

  expect(reads.toSorted()).toEqual([...new Set(reads)].toSorted())
})

it.each(methods)('leaves out parameters that are null in %s', async (method) => {
  const service = stubService(page)
  const query = { from: null, platformId: null, minAmount: 5 }

  const call = new GuildLedger(service.options).transactions[method](query)
  if ('next' in call) void call.next()
  await vi.waitFor(() => expect(service.sent).not.toHaveLength(0))
  if ('next' in call) await call.return()

  expect(service.sent[0]?.url).toContain('minAmount=5')
  expect(service.sent[0]?.url).not.toMatch(/from|platformId|null/)
})

it.each(methods)('rejects an empty string as source in %s', async (method) => {
  const { transactions } = new GuildLedger(stubService(page).options)

  expect(await failureOf(() => transactions[method]({ from: '' }))).toMatchObject({
    code: 'invalid_parameter',
    message: '`from` must be a source, or left out for all sources, got ""',
  })
})

it('says of an address in quotes, which `docker --env-file` keeps, that they are too much', async () => {
  expect(await failureOf(() => new GuildLedger({ apiKey: 'k', baseUrl: '"https://ledger.example"' }))).toHaveProperty(
    'message',
    '`baseUrl` must be an address such as https://ledger.example, got something else: remove the quotes around it',
  )
})
