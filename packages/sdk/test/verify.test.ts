import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const clientOf = (body: unknown, status = 200) => {
  const service = stubService(() => Response.json(body, { status }))
  return { ledger: new GuildLedger(service.options), sent: service.sent }
}

it.each([
  ['a page', guildResponse, 200],
  ['the documented 404 of an empty ledger', errorBody('No transactions found for this guild'), 404],
])('verify resolves for %s, after one request for one transaction', async (_, body, status) => {
  const { ledger, sent } = clientOf(body, status)

  expect(await ledger.verify()).toBeUndefined()
  expect(sent.map(({ url }) => url)).toEqual(['https://ledger.example/guild/ledger/transactions?limit=1'])
})

it.each([
  ['invalid_api_key', errorBody('Unauthorized - invalid API key'), 401],
  ['forbidden', errorBody('scope'), 403],
  ['not_found', errorBody('no such route'), 404],
  ['invalid_response', { hello: 'you' }, 200],
])('verify rejects with %s', async (code, body, status) => {
  expect(await failureOf(clientOf(body, status).ledger.verify())).toHaveProperty('code', code)
})

it('verify takes the options of a call', async () => {
  const { ledger, sent } = clientOf(guildResponse)

  expect(await failureOf(ledger.verify({ timeoutMs: 0 }))).toMatchObject({ code: 'configuration', option: 'timeoutMs' })
  expect(sent).toEqual([])
})

it.each(['off', 'warn'] as const)('verify checks the response of a client with validation %s', async (validation) => {
  const service = stubService(() => Response.json({ hello: 'you' }))
  const ledger = new GuildLedger({ ...service.options, validation })

  expect(await failureOf(ledger.verify())).toHaveProperty('code', 'invalid_response')
})

it('verify reports options that are no object', async () => {
  const { ledger } = clientOf(guildResponse)

  expect(await failureOf(ledger.verify('soon' as never))).toHaveProperty('code', 'configuration')
})
