import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const body = (text: string | null, status = 200) => stubService(() => new Response(text, { status }))

it.each([
  ['HTML', '<html></html>', 'the response body must be JSON, got a body that starts with "<html></html>"'],
  ['HTML of 60 characters', `<p>${'x'.repeat(57)}`, `a body that starts with "<p>${'x'.repeat(57)}".`],
  ['HTML of 61 characters', `<p>${'x'.repeat(58)}`, `a body that starts with "<p>${'x'.repeat(57)}".`],
  ['an empty body', '', 'the response body must be JSON, got no readable body'],
  ['JSON that is cut off', '{"success":tr', 'got incomplete JSON of the service, 13 characters'],
  ['null', 'null', 'the body must be an object, got null'],
  ['an array', '[]', 'the body must be an object, got an array of 0'],
  ['an error body with status 200', '{"success":false,"message":"down"}', 'The service says: "down".'],
  [
    'a total that is a string',
    JSON.stringify({ ...guildResponse, pagination: { page: 1, limit: 1, total: '1', totalPages: 1 } }),
    '`pagination.total` must be an integer, got "1"',
  ],
  ['a page without transactions', JSON.stringify({ ...guildResponse, data: ['x'] }), '`data[0]` must be an object'],
])('rejects %s with a ResponseValidationError that says what is wrong', async (_, text, message) => {
  const error = await failureOf(new GuildLedger(body(text).options).transactions.list())

  expect(error).toMatchObject({
    name: 'ResponseValidationError',
    code: 'invalid_response',
    message: expect.stringContaining(message),
  })
  expect(String(error)).not.toContain('Invalid input')
})

it('names the endpoint, the first issues and what to do in the message of a ResponseValidationError', async () => {
  const text = JSON.stringify({ ...guildResponse, success: 1, data: [1, 2, 3] })

  expect(await failureOf(new GuildLedger(body(text).options).transactions.list())).toHaveProperty(
    'message',
    'GET /guild/ledger/transactions failed: the response violates the contract: `success` must be true, got 1. ' +
      '`data[0]` must be an object, got 1. `data[1]` must be an object, got 2 (and 1 more). ' +
      "Report it, or set validation to 'warn'.",
  )
})

it('rejects a 204 with a ResponseValidationError', async () => {
  await expect(new GuildLedger(body(null, 204).options).transactions.list()).rejects.toMatchObject({
    code: 'invalid_response',
    value: '',
  })
})

it('shortens a long message of the service in a ResponseValidationError and keeps it on one line', async () => {
  const text = JSON.stringify(errorBody(`database down\u2028${'x'.repeat(500_000)}`))

  const { message } = (await failureOf(new GuildLedger(body(text).options).transactions.list())) as Error

  expect(message).toContain('The service says: "database down x')
  expect(message.length).toBeLessThan(2_000)
})

it('collects no more than a hundred issues of a response body', async () => {
  const text = `{"success":true,"data":[${'0,'.repeat(200_000)}0],"pagination":{},"summary":{}}`

  const error = await failureOf(new GuildLedger(body(text).options).transactions.list())

  expect(error).toMatchObject({
    code: 'invalid_response',
    message: expect.stringContaining('`data[0]` must be an object, got 0. `data[1]` must be an object, got 0.'),
  })
  expect((error as { issues: unknown[] }).issues).toHaveLength(100)
})

it("returns a body that violates the contract with validation 'warn', and logs a warning", async () => {
  const service = stubService(() => Response.json({ success: true, odd: 1 }))
  const ledger = new GuildLedger(service.options)

  expect(await ledger.transactions.list({}, { validation: 'warn' })).toEqual({ success: true, odd: 1 })
  expect(service.lines).toEqual([
    'warn guild-ledger: GET /guild/ledger/transactions: the response violates the contract: ' +
      '`data` must be an array of user groups, got undefined. `pagination` must be an object, got undefined. ' +
      '`summary` must be an object, got undefined.',
  ])
})

it("returns a body that violates the contract with validation 'off', and logs nothing", async () => {
  const service = stubService(() => Response.json({ success: true, odd: 1 }))
  const ledger = new GuildLedger({ ...service.options, validation: 'off' })

  expect(await ledger.transactions.list()).toEqual({ success: true, odd: 1 })
  expect(service.lines).toEqual([])
})

it.each([
  ['is an empty object', {}],
  ['has no pagination', { ...guildResponse, pagination: undefined }],
  ['has users without transactions', { ...guildResponse, data: [{}] }],
  ['is null', null],
  ['is a number', 7],
])("ends pagination with a ResponseValidationError if validation is 'off' and a page %s", async (_, page) => {
  const { transactions } = new GuildLedger({ ...stubService(() => Response.json(page)).options, validation: 'off' })

  for (const paginator of [transactions.pages({ page: 3 }), transactions.iterate({ page: 3 })]) {
    const error = await failureOf(Array.fromAsync(paginator as AsyncIterable<unknown>))
    expect(error).toMatchObject({ code: 'invalid_response', page: 3 })
  }
})
