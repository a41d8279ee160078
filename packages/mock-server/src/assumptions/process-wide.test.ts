import { listAll } from '@guild-ledger/test-kit'
import { afterEach, expect, it, vi } from 'vitest'
import { createMockLedger, createTransactionFactory } from '../index.ts'
import { setProcessWide, type TraceEvent } from './process-wide.ts'

afterEach(() => {
  setProcessWide(undefined)
  vi.unstubAllEnvs()
})

it('the process-wide setting starts every mock and every guild from the values of the environment variable', () => {
  vi.stubEnv('GUILD_LEDGER_MOCK_ASSUME', 'pageUnit=group,maxPage=3')

  const mock = createMockLedger()

  expect(mock.assumptions).toMatchObject({ pageUnit: 'group', maxPage: 3, groupOrder: 'first-transaction' })
  expect(mock.createGuild().assumptions).toMatchObject({ pageUnit: 'group', maxPage: 3 })
})

it('the process-wide setting lets values that a mock or a guild is given take precedence over those of the process', () => {
  setProcessWide({ assumptions: { pageUnit: 'group', maxPage: 3 } })

  const mock = createMockLedger({ assumptions: { pageUnit: 'transaction' } })
  const guild = mock.createGuild({ assumptions: { maxPage: 7 } })

  expect(guild.assumptions).toMatchObject({ pageUnit: 'transaction', maxPage: 7 })
  mock.reset()
  expect(mock.assumptions).toMatchObject({ pageUnit: 'transaction', maxPage: 3 })
})

it('the process-wide setting names the environment variable when its value cannot be used', () => {
  vi.stubEnv('GUILD_LEDGER_MOCK_ASSUME', 'pageUnits=group')

  expect(() => createMockLedger()).toThrow(/^GUILD_LEDGER_MOCK_ASSUME: pageUnits=group: Unknown assumption/)
})

it('the process-wide setting reports what a response depends on, apart from pinned assumptions, and sends no header', () => {
  const events: TraceEvent[] = []
  setProcessWide({ onTrace: (event) => events.push(event) })
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: { invalidParameter: 'reject' } })
  mock.guild.add([createTransactionFactory()()])

  const { headers } = mock.respond({ method: 'GET', target: `${listAll}?limit=0`, apiKey: mock.apiKey })
  mock.respond({ method: 'GET', target: `${listAll}?from=nowhere`, apiKey: mock.apiKey })

  expect(headers).not.toHaveProperty('x-mock-assumptions')
  expect(events).toEqual([
    {
      of: 'response',
      inForce: {},
      touched: [{ key: 'invalidParameterStatus', value: 422 }],
      pinned: ['invalidParameter'],
    },
    { of: 'response', inForce: {}, touched: [{ key: 'notFoundWhen', value: 'empty-ledger' }], pinned: [] },
  ])
})

it('the process-wide setting reports that each response under a rate limit depends on how requests are counted', () => {
  const events: TraceEvent[] = []
  setProcessWide({ onTrace: (event) => events.push(event) })
  const mock = createMockLedger({ transactions: 0, rateLimit: 1 })

  for (let i = 0; i < 2; i++) mock.respond({ method: 'GET', target: listAll, apiKey: mock.apiKey })

  const ofRateLimit = events.map(({ touched }) =>
    touched.filter(({ key }) => key.startsWith('rateLimit')).map(({ key, value }) => `${key}=${String(value)}`),
  )
  const counting = [
    'rateLimitAlgorithm=fixed-window',
    'rateLimitAlgorithm=token-bucket',
    'rateLimitAlgorithm=leaky-bucket',
    'rateLimitScope=guild',
    'rateLimitScope=address',
  ]
  const others = [
    'rateLimitHeaders=none',
    'rateLimitHeaders=x-ratelimit',
    'rateLimitHeaders=ratelimit',
    'rateLimitedRequestsCount=true',
  ]
  expect(ofRateLimit).toEqual([
    [...counting, ...others],
    [...counting, 'rateLimitStatus=503', ...others],
  ])
})

it('the process-wide setting reports a response that no assumption changes, too, and how its request came', () => {
  const onTrace = vi.fn()
  setProcessWide({ onTrace })
  const mock = createMockLedger()

  for (const how of [{}, { target: '/' }, { address: '::1' }, { intercepted: true }])
    mock.respond({ method: 'GET', target: listAll, apiKey: 'unknown', ...how })

  const events = [{}, {}, { via: 'network' }, { via: 'interception' }].map((via) => [
    { of: 'response', inForce: {}, touched: [], pinned: [], ...via },
  ])
  expect(onTrace.mock.calls).toStrictEqual(events)
})
