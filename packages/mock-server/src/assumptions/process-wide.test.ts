import { afterEach, expect, it, vi } from 'vitest'
import { createMockLedger, createTransactionFactory } from '../index.ts'
import { setProcessWide, type Assumptions, type TraceEvent } from './index.ts'

afterEach(() => {
  setProcessWide(undefined)
  vi.unstubAllEnvs()
})

const list = '/guild/ledger/transactions'

it('starts every mock and every guild from the values of the environment variable', () => {
  vi.stubEnv('GUILD_LEDGER_MOCK_ASSUME', 'pageUnit=group,maxPage=3')

  const mock = createMockLedger()

  expect(mock.assumptions).toMatchObject({ pageUnit: 'group', maxPage: 3, groupOrder: 'first-transaction' })
  expect(mock.createGuild().assumptions).toMatchObject({ pageUnit: 'group', maxPage: 3 })
})

it('lets values that a mock or a guild is given take precedence over those of the process', () => {
  setProcessWide({ assumptions: { pageUnit: 'group', maxPage: 3 } })

  const mock = createMockLedger({ assumptions: { pageUnit: 'transaction' } })
  const guild = mock.createGuild({ assumptions: { maxPage: 7 } })

  expect(guild.assumptions).toMatchObject({ pageUnit: 'transaction', maxPage: 7 })
  mock.reset()
  expect(mock.assumptions).toMatchObject({ pageUnit: 'transaction', maxPage: 3 })
})

it('names the environment variable when its value cannot be used', () => {
  vi.stubEnv('GUILD_LEDGER_MOCK_ASSUME', 'pageUnits=group')

  expect(() => createMockLedger()).toThrow(/^GUILD_LEDGER_MOCK_ASSUME: pageUnits=group: Unknown assumption/)
})

it('reports what a response depends on, apart from pinned assumptions, and sends no header', () => {
  const events: TraceEvent[] = []
  setProcessWide({ onTrace: (event) => events.push(event) })
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: { invalidParameter: 'reject' } })
  mock.guild.add([createTransactionFactory()()])

  const { headers } = mock.respond({ method: 'GET', target: `${list}?limit=0`, apiKey: mock.apiKey })
  mock.respond({ method: 'GET', target: `${list}?from=nowhere`, apiKey: mock.apiKey })

  expect(headers).not.toHaveProperty('x-mock-assumptions')
  expect(events).toEqual([
    { touched: [], pinned: ['invalidParameter'] },
    { touched: [{ key: 'notFoundWhen', value: 'empty-ledger' }], pinned: [] },
  ])
})

it('reports nothing for a response that no assumption changes', () => {
  const onTrace = vi.fn()
  setProcessWide({ onTrace })
  const mock = createMockLedger()

  mock.respond({ method: 'GET', target: list, apiKey: 'unknown' })

  expect(onTrace).not.toHaveBeenCalled()
})

it('compares responses with the variants it is given, without what a mock pins', () => {
  const events: TraceEvent[] = []
  const group = { key: 'pageUnit', value: 'group' } as const
  const seconds = { key: 'createdAtFormat', value: 'seconds' } as const
  setProcessWide({
    assumptions: { pageUnit: 'group', createdAtFormat: 'seconds' },
    onTrace: (event) => events.push(event),
    variants: [
      { alternative: group, changes: { pageUnit: 'group', createdAtFormat: 'milliseconds' } },
      { alternative: seconds, changes: { pageUnit: 'transaction', createdAtFormat: 'seconds' } },
    ],
  })
  const request = (assumptions: Partial<Assumptions>) => {
    const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions })
    mock.guild.add([createTransactionFactory()()])
    mock.respond({ method: 'GET', target: list, apiKey: mock.apiKey })
  }

  request({})
  request({ createdAtFormat: 'milliseconds' })

  // The response has one group of one transaction, so only the format of dates changes it; the second mock pins that.
  expect(events).toEqual([{ touched: [group], pinned: [] }])
})
