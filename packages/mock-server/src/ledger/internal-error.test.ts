import { getResponse } from 'msw'
import { http } from 'msw/http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { failureOf, listAll } from '@guild-ledger/test-kit'
import { startMockServer, type ResponseEvent } from '../adapters/node/server.ts'
import { MockInternalError } from '../index.ts'
import { createMockLedgerWith } from './create-ledger.ts'

const cause = new Error('faker cannot be loaded')
const brokenMock = () =>
  createMockLedgerWith({
    faker: () => {
      throw cause
    },
    http: () => http,
    handlersFor: 'setupServer of MSW',
  })
const message = 'The mock itself failed, this is no response of the service. Error: faker cannot be loaded'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

it('an internal failure rejects with its cause in process', async () => {
  const mock = brokenMock()
  const headers = { 'x-api-key': mock.apiKey }

  const error = await failureOf(mock.fetch(mock.origin + listAll, { headers }))

  expect(error).toBeInstanceOf(MockInternalError)
  expect(error).toMatchObject({ message, cause })
  expect(() => mock.respond({ method: 'GET', target: listAll, apiKey: mock.apiKey })).toThrow(message)
  expect(mock.guild.requests).toMatchObject(
    Array.from({ length: 2 }, () => ({ status: null, rejectedBy: 'internal error', message })),
  )
})

it('an internal failure is a 500 over HTTP that names its cause, in its body, in the log and in the event', async () => {
  const mock = brokenMock()
  const events: ResponseEvent[] = []
  await using server = await startMockServer({ mock, onResponse: (event) => events.push(event) })

  const response = await fetch(server.url + listAll, { headers: { 'x-api-key': mock.apiKey } })

  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ success: false, message })
  expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message, cause }))
  const event = { status: 500, rejectedBy: 'internal error', error: message }
  await vi.waitFor(() => expect(events).toMatchObject([event]), { timeout: 10_000 })
})

it('an internal failure is a 500 through MSW that names its cause', async () => {
  const { handlers, origin, apiKey } = brokenMock()

  const response = await getResponse([...handlers], new Request(origin + listAll, { headers: { 'x-api-key': apiKey } }))

  expect(response?.status).toBe(500)
  expect(await response?.json()).toEqual({ success: false, message })
  expect(console.error).toHaveBeenCalledOnce()
})

it('a failure of further routes is a 500 that names its cause, too', async () => {
  const routes = { owns: () => true, respond: () => Promise.reject(cause) }
  await using server = await startMockServer({ mock: brokenMock(), routes })

  expect(await (await fetch(server.url)).json()).toEqual({ success: false, message })
})
