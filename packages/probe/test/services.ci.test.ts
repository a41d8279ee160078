import { createMockLedger } from '@guild-ledger/mock-server'
import type { Assumptions } from '@guild-ledger/mock-server/assumptions'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { cases } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { ProbeError, type Expectation } from '../src/index.ts'
import { checkedOptions } from '../src/options.ts'
import { probeWithData } from '../src/probe.ts'
import { exitCodeOf, expectationFrom } from '../src/report/changes.ts'
import { letterAbout, markdownReport } from '../src/report/markdown.ts'
import { compareWithMock, invalidRequests, randomRequests } from './support/compare-with-mock.ts'
import { falseSentencesIn } from './support/false-sentences.ts'
import { foreignServicesFor, ledgerOf } from './support/foreign-services.ts'
import { changes, randomService, type Respond } from './support/random-service.ts'
import { probedFunction, probeFunction, wrongIn } from './support/run-probe.ts'

vi.setConfig({ testTimeout: 900_000 })

const most = 120 // transactions of a ledger
/** Seeds of services whose ties look alike in some orders, whose transactions all have one time, or are listed in parts. */
const hardSeeds: Partial<Record<string, readonly number[]>> = {
  static: [72, 20051, 20284, 20303, 20361, 100445, 100966, 130261],
  growing: [80031],
  rolling: [300045], // once took all memory: 45 responses were about one of 16 ledgers
}

it.each(['static', ...changes] as const)('decides nothing wrongly for services with a %s ledger', async (kind) => {
  const special = cases(1, 1) > 1 ? (hardSeeds[kind] ?? []) : []
  for (const seed of [...Array.from({ length: cases(kind === 'static' ? 3 : 1, 1) }, (_, i) => i + 1), ...special]) {
    const { assumptions, respond } = randomService(seed, kind, special.includes(seed) ? undefined : most)
    // The first responses rule out most values.
    const { findings } = await probeFunction(respond, { maxRequests: seed <= 4 || special.includes(seed) ? 400 : 20 })
    const wrong = wrongIn(findings, { ...assumptions })
    const unexplained = findings.filter(({ verdict }) => verdict === 'unexplained').map(({ key }) => key)
    expect({ seed, wrong, unexplained }).toEqual({ seed, wrong: [], unexplained: [] })
    expect(![1, 130261].includes(seed) || findings.filter((one) => one.verdict === 'decided').length > 15).toBe(true)
  }
})

const [pageUnit, sourceMatch, repeatedParameter] = ['group', 'prefix', 'joined'] as const
const unusual = { pageUnit, sourceMatch, repeatedParameter, invalidParameterStatus: 422 } as const

const respondOf = (title: string, ledger = ledgerOf(0)): Respond =>
  foreignServicesFor(ledger).find((one) => one.title === title)?.respond ?? (() => ({ status: 500, body: '' }))

const mockOf = (entries: ReturnType<typeof ledgerOf>, assumptions: Partial<Assumptions>) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions })
  mock.guild.add(entries)
  const respond: Respond = (target) => mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
  return { mock, respond }
}

/** A sixteenth of them, and all for a release. */
const foreign = foreignServicesFor(ledgerOf(0)).filter(
  ({ title }, i) => title !== 'counts pages from 0' && (cases(1, 1) > 1 || i % 16 === 2),
)
/** Services that are hard to tell from others with these ledgers. */
const hard = [
  [1, 'has two replicas of which one lags behind'], // all transactions have the same time
  [1, 'has pages of transactions if they are of one user'],
  [3, 'has another version for one user'], // few requests show that ties of one user are in another order
  [1, 'is behind a cache that ignores the order of parameters'], // new transactions are older than the newest ones
  [2, 'sorts amounts of one user ascending by default'], // a page of one user has all of their transactions
  [8, 'sorts amounts of one user ascending by default'], // a page of one user ends among equal values
] as const
for (const [ledger, title] of hard.filter((_, i) => i % 2 < cases(1, 1)))
  foreign.push(...foreignServicesFor(ledgerOf(ledger)).filter((one) => one.title === title))
it.each(foreign)('decides nothing wrongly for a service that $title', async (service) => {
  const probed = await probedFunction(service.respond, { maxRequests: 150 })
  const { findings } = probed.report

  // A decided value may name kinds of input to which it does not extend.
  const isDecided = (key: string) =>
    findings.some((one) => one.key === key && one.verdict === 'decided' && one.except === undefined)
  const requests = [...randomRequests(probed.entries, 1, 100), ...invalidRequests(probed.entries, 1, 50)]
  expect(service.without.filter(isDecided)).toEqual([])
  // Of what no value describes, the comparison with the mock says whether the decided part is true.
  const described = findings.filter(({ key }) => !service.without.includes(key))
  expect(wrongIn(described, service.values)).toEqual([])
  expect(compareWithMock(probed, service.respond, requests).different).toEqual([])
})

it('names filters by amount that no value describes, and decides the rest', async () => {
  const { respond } = randomService(8, 'static', most)
  // Amounts are strictly above `minAmount`, and strictly below `maxAmount`.
  const strict = (target: string) =>
    target
      .replace(/(minAmount=\d+)(?=&|$)/, '$1.001')
      .replace(/maxAmount=(\d+)(?=&|$)/, (_, amount) => `maxAmount=${Math.max(0, amount - 0.001)}`)
  const { findings, kinds } = await probeFunction((target) => respond(strict(target)), { maxRequests: 150 })

  expect(kinds.map(({ kind }) => kind)).toEqual(['a filter by amount'])
  expect(findings.filter(({ verdict }) => verdict === 'unexplained')).toEqual([])
  expect(findings.filter(({ verdict }) => verdict === 'decided').length).toBeGreaterThan(15)
})

it.each([
  ['takes any empty value for not sent, and rejects what else is invalid', ['an empty value'], 'reject'],
  [
    'responds with 422 to amounts, with nothing to dates, and with 400 to the rest',
    ['an invalid amount', 'an invalid date'],
    'reject',
  ],
  ['clamps limits and rejects dates', ['an invalid date'], 'clamp'],
  ['reads numbers with parseInt', ['a number with text (page)', 'an invalid value (limit)'], 'default'],
])('names the kinds of input of a service that %s, and decides the rest', async (title, names, invalidParameter) => {
  const { kinds, findings, values, comparison } = await probeFunction(respondOf(title), { maxRequests: 150 })
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(names)
  expect(values.invalidParameter).toBe(invalidParameter)
  expect(findings.find(({ key }) => key === 'invalidParameter')?.except?.toSorted()).toEqual(names)
  expect(findings.filter(({ verdict }) => verdict === 'unexplained')).toEqual([])
  expect(comparison.different).toBeGreaterThan(0)
})

it.each([
  ['sorts names with localeCompare, ties as they were entered', ['language']],
  ['sorts names with the numbers in them', []],
])('compares pages whose ties are unknown, for a service that %s', async (title, candidates) => {
  const { findings, comparison } = await probeFunction(respondOf(title, ledgerOf(-150)), { maxRequests: 150 })

  expect(findings.find(({ key }) => key === 'nameOrder')).toMatchObject({ candidates })
  expect(comparison.inPart).toBeGreaterThan(0)
})

it('names no value as nearest that is not', async () => {
  for (const title of ['reverses the groups', 'orders ties at random', 'sorts names with COLLATE NOCASE']) {
    const { findings } = await probeFunction(respondOf(title), { maxRequests: 150 })
    const unexplained = findings.filter(({ verdict }) => verdict === 'unexplained')
    expect(unexplained.map(({ value }) => value)).toEqual([undefined])
  }
})

it.each([
  'responds to a page after the last with the last page',
  'rejects pages after the last with 404 for the guild only',
])('says nothing false of a service that %s, and does not take it for a largest page', async (title) => {
  const ledger = ledgerOf(0)
  const service = foreignServicesFor(ledger).find((one) => one.title === title)
  if (!service) throw new Error(title)
  const probed = await probedFunction(service.respond, { maxRequests: 150 })

  const requests = [...randomRequests(ledger, 1, 200), ...invalidRequests(ledger, 1, 50)]
  expect(falseSentencesIn(probed, service, requests)).toMatchObject({ found: [] })
  const unexplained = probed.report.findings.filter(({ verdict }) => verdict === 'unexplained')
  expect(unexplained.map(({ key }) => key)).toEqual(['notFoundWhen'])
})

it.each([
  ['rounds the limit up to tens', 'a limit below 100'],
  ['has pages of at least 10', 'a limit below 100'],
])('blames no largest page for a service that %s', async (title, kind) => {
  const { findings, kinds, values } = await probeFunction(respondOf(title), { maxRequests: 150 })

  expect(kinds.map((one) => one.kind)).toEqual([kind])
  expect(values.maxLimit).toBe(100)
  expect(findings.filter(({ verdict }) => verdict === 'unexplained')).toEqual([])
})

it.each([0, 1])('gives up the order of ties only for a service that orders them at random', async (ledger) => {
  const title = 'orders ties at random'
  const { findings, unsteady } = await probeFunction(respondOf(title, ledgerOf(ledger)), { maxRequests: 150 })

  expect(findings.flatMap(({ key, verdict }) => (verdict === 'unexplained' ? [key] : []))).toEqual(['tieOrder'])
  expect(unsteady).toEqual([])
})

it.each([
  [{ maxLimit: 50 }, 60],
  [{ nameOrder: 'case-insensitive' }, 60],
  [{ userLimit: 50 }, 40],
  [{ startDateBound: 'exclusive' }, 65], // nothing that follows shows these two
  [{ userSortBy: 'amount' }, 65],
] as const)('decides nothing where the service changes to %j after %i requests, and says so', async (change, after) => {
  const [before, now] = [mockOf(ledgerOf(0), {}), mockOf(ledgerOf(0), change)]
  let count = 0
  const respond: Respond = (target) => (++count > after ? now : before).respond(target)
  const report = await probeFunction(respond, { maxRequests: 150 })

  expect(report.values).toEqual({})
  expect(report.unsteady.length).toBeGreaterThan(0)
  expect(markdownReport(report)).toContain(`The service responded to ${report.unsteady[0]} in two ways`)
  expect(letterAbout(report)).toContain('in two ways')
})

it('does not take new transactions for a new version where something is unexplained', async () => {
  const { respond } = randomService(610_002, 'growing')
  const { findings, unsteady } = await probeFunction((target) => {
    const { body, ...response } = respond(target)
    return { ...response, body: body.replace(/"totalValue":(\d+)/, (_, total) => `"totalValue":1${total}`) }
  })

  expect(unsteady).toEqual([])
  expect(findings.some(({ verdict }) => verdict === 'unexplained')).toBe(true)
  expect(findings.filter(({ verdict }) => verdict === 'decided').length).toBeGreaterThan(5)
})

it.each([
  [0, {}],
  [1, unusual],
  [2, unusual],
])('decides only what a ledger of %i transactions shows, with %j', async (size, assumptions) => {
  const entries = ledgerOf(0).slice(0, size)
  const { mock, respond } = mockOf(entries, assumptions)
  const probed = await probedFunction(respond, { maxRequests: 150 })

  expect(wrongIn(probed.report.findings, mock.assumptions)).toEqual([])
  const service = { title: '', without: [], values: mock.assumptions, respond }
  const requests = size > 0 ? [...randomRequests(entries, 1, 50), ...invalidRequests(entries, 1, 50)] : []
  expect(falseSentencesIn(probed, service, requests)).toMatchObject({ found: [] })
})

it('names the limit of requests only where further requests would show a value', async () => {
  const { respond } = mockOf(ledgerOf(0), { invalidParameter: 'default' })
  const { findings } = await probeFunction(respond, { maxRequests: 90 })
  const needs = Object.fromEntries(findings.map((one) => [one.key, one.needs]))

  expect(needs.emptyTotalPages).toBe('With notFoundWhen=no-match, no response shows it.')
  expect(needs.invalidParameterStatus).toBe('With invalidParameter=default, no response shows it.')
  expect(needs.maxPage).toMatch(/^The limit of requests was reached/)
})

it('ends with a ProbeError for a service that counts pages from 0', async () => {
  await expect(probeFunction(respondOf('counts pages from 0'))).rejects.toThrow(ProbeError)
})

const grown = [
  'lists the oldest first by default',
  'has a summary without the newest transaction',
  'orders ties by id if it sorts by quantity', // shows only in the larger ledger
]
it.each(grown.slice(0, cases(1, 1)))('finds no change in a larger ledger of a service that %s', async (title) => {
  const probeAt = (count: number, expected?: Expectation) =>
    probeFunction(respondOf(title, ledgerOf(0).slice(0, count)), { maxRequests: 150, expected })
  const expected = expectationFrom(await probeAt(40))
  expect(exitCodeOf(await probeAt(53, expected), expected)).toBe(0)
})

it('decides no order of ties wrongly if a transaction enters before the last look at the ledger', async () => {
  const [title, ledger] = ['orders ties by id for one user only', ledgerOf(0)]
  const [before, after] = [respondOf(title, ledger.slice(0, -1)), respondOf(title, ledger)]
  let count = 0
  const respond: Respond = (target) => (++count <= 96 ? before : after)(target) // the last four are kept for the look
  const { findings } = await probeFunction(respond, { maxRequests: 100 })
  expect(findings.find(({ key }) => key === 'tieOrder')?.verdict).toBe('unexplained')
})

it('decides values over HTTP, expects them later, and names one that changed', async () => {
  const mock = createMockLedger({ users: 8, transactions: 60, rateLimit: 'off', assumptions: unusual })
  await using server = await startMockServer({ mock, port: 0 })
  const options = { ...checkedOptions({ apiKey: mock.apiKey, baseUrl: server.url }), requestsPerSecond: 5000 }

  const { report } = await probeWithData(options)
  expect(report.values).toMatchObject(unusual)
  expect([report.comparison.explained > 80, report.comparison.different]).toEqual([true, 0])
  const text = JSON.stringify(report)
  for (const secret of [mock.apiKey, ...mock.guild.transactions.flatMap((one) => [one.platformId, one.transactionId])])
    expect(text).not.toContain(secret)

  mock.assume({ sourceMatch: 'contains' })
  const expected = { assumptions: report.values }
  const { report: later } = await probeWithData({ ...options, expected })
  expect(later.changes).toMatchObject([{ key: 'sourceMatch', expected: 'prefix', now: { value: 'contains' } }])
})
