import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockLedger, type Guild, type MockLedgerOptions } from '@guild-ledger/mock-server'
import * as fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { setProcessWide } from '../assumptions/process-wide.ts'
import { coverageOf } from './coverage.ts'
import { formatCoverage, percentOf } from './format-coverage.ts'

const setup = (options: MockLedgerOptions = {}) => {
  const mock = createMockLedger({ explain: true, transactions: 30, rateLimit: 'off', now: () => 0, ...options })
  const get = (target: string, { apiKey }: Pick<Guild, 'apiKey'> = mock, method = 'GET') =>
    mock.respond({ method, target: `/guild/ledger/${target}`, apiKey })
  return { mock, get }
}

it('says which endpoints, parameters, statuses and documented errors the requests covered', () => {
  const { mock, get } = setup()
  get('transactions?sortBy=total&sortBy=name&other=1')
  get('nobody/transactions?limit=5')
  get('transactions', { apiKey: 'mistyped' })

  expect(mock.coverage()).toMatchObject({
    endpoints: { covered: ['guild', 'user'] },
    parameters: { covered: ['guild?sortBy', 'user?limit'] },
    values: { 'guild?sortBy': ['total', 'name'], 'user?limit': ['5'] },
    statuses: [200, 401, 404],
    errors: {
      covered: ['invalid_api_key', 'no_user_transactions'],
      uncovered: expect.arrayContaining(['missing_guild_id', 'no_guild_transactions']) as string[],
    },
  })
  expect(mock.coverage().parameters.uncovered).toEqual(expect.arrayContaining(['guild?limit', 'user?sortBy']))
})

it('a request with another method or path covers no endpoint', () => {
  const { mock, get } = setup()
  get('transactions', mock, 'POST')
  get('transaction')

  expect(mock.coverage()).toMatchObject({
    endpoints: { covered: [], uncovered: expect.arrayContaining(['guild', 'user']) as string[] },
    statuses: [404, 405],
  })
})

it('covers an assumption if a response depended on it, also where its value was given', () => {
  const { mock, get } = setup({ assumptions: { startDateBound: 'exclusive' } })
  const [first] = mock.guild.transactions
  get('transactions?from=shop&limit=1')
  get(`transactions?startDate=${first?.createdAt}`)
  const { covered, uncovered } = mock.coverage().assumptions

  expect(covered).toEqual(expect.arrayContaining(['sourceMatch', 'startDateBound', 'pageUnit']))
  expect(uncovered).toEqual(expect.arrayContaining(['endDateBound', 'userLimit', 'maxKeysPerGuild']))
  expect(covered.length + uncovered.length).toBeGreaterThan(30)

  mock.guild.createKey({ name: 'second', scopes: ['guild:read'], expiresAt: '2030-01-01T00:00:00Z' })
  expect(mock.coverage().assumptions.covered).toContain('maxKeysPerGuild')
})

const request = fc.record({
  path: fc.constantFrom('transactions', 'user-1/transactions'),
  parameter: fc.constantFrom(
    'from=shop',
    'page=2',
    'limit=0',
    'sortBy=name',
    'limit=100',
    'minAmount=9e9',
    'other=1',
    '',
  ),
})

it('covers the assumptions that the trace of the same requests names', () => {
  onTestFinished(() => void setProcessWide(undefined))
  fc.assert(
    fc.property(
      fc.array(request, { maxLength: 5 }),
      fc.constantFrom('group', 'transaction', undefined),
      (sent, pageUnit) => {
        const traced = new Set<string>()
        setProcessWide({
          onTrace: ({ touched, pinned }) =>
            [...touched.map(({ key }) => key), ...pinned].forEach((key) => traced.add(key)),
        })
        const { mock, get } = setup(pageUnit && { assumptions: { pageUnit } })
        for (const { path, parameter } of sent) get(`${path}?${parameter}`)

        expect(new Set(mock.coverage().assumptions.covered)).toEqual(traced)
      },
    ),
    { numRuns: 30 },
  )
})

it('adds up over guilds, removed ones too, and over a reset', () => {
  const { mock, get } = setup()
  const guild = mock.createGuild()
  get('transactions', guild)
  mock.removeGuild(guild.id)
  mock.guild.fault({ kind: 'internal-error', times: 1 })
  get('transactions?page=1')
  mock.reset()

  expect(mock.coverage()).toMatchObject({
    statuses: [404, 500],
    errors: { covered: ['no_guild_transactions', 'guild_transactions_failed'] },
    parameters: { covered: ['guild?page'] },
  })
})

it('lists the faults that never happened in any guild', () => {
  const { mock, get } = setup()
  for (const guild of [mock.guild, mock.createGuild({ transactions: 1 })]) guild.fault({ kind: 'reset', times: 1 })
  mock.guild.fault({ kind: 'hang', endpoint: 'user' })
  mock.guild.fault({ kind: 'hang', probability: 0.001 })
  get('transactions')
  mock.reset()

  expect(mock.coverage().unusedFaults).toEqual([{ kind: 'hang', endpoint: 'user' }])
  expect(formatCoverage(mock.coverage())).toMatch(
    /Faults that never happened:\n {2}\{"kind":"hang","endpoint":"user"\}$/,
  )
})

it('keeps the first 20 values of a parameter', () => {
  const { mock, get } = setup()
  for (let page = 1; page <= 25; page++) get(`transactions?page=${page}&limit=2`)

  expect(mock.coverage().values).toEqual({
    'guild?page': Array.from({ length: 20 }, (_, i) => String(i + 1)),
    'guild?limit': ['2'],
  })
})

it('without `explain`, the coverage of a mock is a TypeError that says so', () => {
  expect(() => setup({ explain: false }).mock.coverage()).toThrow(
    new TypeError('`mock.coverage()` needs the option `explain: true` of createMockLedger'),
  )
})

it('each process appends its facts to the file of the environment, each once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.stubEnv('GUILD_LEDGER_MOCK_COVERAGE', join(folder, 'facts'))
  for (const parameter of ['from=shop', 'limit=1', 'from=shop'])
    setup({ explain: false }).get(`transactions?${parameter}`)

  const lines = readFileSync(join(folder, 'facts'), 'utf8').split('\n').slice(0, -1)
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines).toContain('["value","guild?from","shop"]')
  expect(coverageOf(lines)).toMatchObject({ parameters: { covered: ['guild?limit', 'guild?from'] } })
  expect(coverageOf(lines).assumptions.covered).toContain('sourceMatch')
})

it('rounds per cent down, so that 100 means all', () => {
  const percent = (covered: number, uncovered: number) =>
    percentOf({ covered: Array(covered).fill(''), uncovered: Array(uncovered).fill('') })

  expect([percent(2, 1), percent(999, 1), percent(3, 0)]).toEqual([66, 99, 100])
})
