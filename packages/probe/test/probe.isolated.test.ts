import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import type { Fetch } from '@guild-ledger/sdk'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { run } from '../src/cli/run.ts'
import { probe, ProbeError, type ProbeReport } from '../src/index.ts'
import { checkedOptions } from '../src/options.ts'
import { probeWithData } from '../src/probe.ts'
import { connect } from '../src/read/service.ts'
import { accessFindings } from '../src/report/access.ts'
import { described } from '../src/report/findings.ts'
import { pseudonymise } from '../src/report/fixture.ts'
import { terminalReport } from '../src/report/terminal.ts'
import { leaksInLedger } from '../src/report/leaks.ts'
import { transaction } from '@guild-ledger/test-kit'
import { randomService } from './support/random-service.ts'
import { optionsFor, probeFunction, wrongIn } from './support/run-probe.ts'

// The command line probes without waiting for its turn.
vi.mock(import('../src/probe.ts'), async (importOriginal) => {
  const own = await importOriginal()
  return { ...own, probeWithData: vi.fn((options) => own.probeWithData({ ...options, requestsPerSecond: 5000 })) }
})

const empty = createMockLedger({ transactions: 0, rateLimit: 'off' })
const respondEmpty = (target: string) => empty.respond({ method: 'GET', target, apiKey: empty.apiKey })

let out = ''
let [printed, said] = ['', '']
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'probe-'))
  ;[printed, said] = ['', '']
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((said += String(text))))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.mocked(probeWithData).mockReset()
  rmSync(out, { recursive: true })
})

const ofEmpty = await probeFunction(respondEmpty, { maxRequests: 40 })
const environment: NodeJS.ProcessEnv = { KEY: 'a-key-of-the-service' }
const runAs = (probing: typeof probeWithData, ...more: string[]) => {
  vi.mocked(probeWithData).mockImplementation(probing)
  return run([...`--base-url https://ledger.example --api-key-env KEY --out ${out}`.split(' '), ...more], environment)
}
const runWith = (changed: Partial<ProbeReport>, ...more: string[]) =>
  runAs(async () => ({ report: { ...ofEmpty, ...changed }, entries: [] }), ...more)

it('writes a report that its schema describes', async () => {
  expect(await runWith({}, '--json')).toBe(0)
  expect(vi.mocked(probeWithData).mock.lastCall?.[0]).toMatchObject({ maxRequests: 150, maxTransactions: 5000 })
  expect(printed).toBe(readFileSync(join(out, 'probe.json'), 'utf8'))

  const schema = JSON.parse(readFileSync(new URL('../probe.schema.json', import.meta.url), 'utf8')) as object
  const ajv = new Ajv2020.default({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  validate(JSON.parse(readFileSync(join(out, 'probe.json'), 'utf8')))
  expect(validate.errors).toBeNull()
  expect(readdirSync(out).toSorted()).toEqual(['assumptions.json', 'probe.json', 'probe.md'])
})

const toTransactions = {
  key: 'pageUnit',
  expected: 'group',
  now: { verdict: 'decided', value: 'transaction', candidates: [] },
}
const unexplained = { key: 'pageUnit', verdict: 'unexplained', candidates: [], evidence: [] } as const
it.each<[string, Partial<ProbeReport>, number]>([
  ['1 where a value has changed', { changes: [toTransactions as ProbeReport['changes'][number]] }, 1],
  ['4 where no value explains responses', { findings: [unexplained] }, 4],
  ['4 where nothing explains an aspect', { inexplicable: [{ request: 'GET', aspect: 'total' }] }, 4],
  ['6 where a value could not be checked', { unchecked: ['pageUnit'] }, 6],
  ['5 where a file would contain a key', { unusable: 'a-key-of-the-service' }, 5],
])('ends with %s', async (_, changed, code) => {
  expect(await runWith(changed)).toBe(code)
})

it('throws its own TypeErrors', () => expect(runAs(() => Promise.reject(new TypeError('x')))).rejects.toThrow('x'))

const entry = { ...transaction, platformId: '942118128392539345', name: 'Dragon Egg of Ann' }
it.each([entry.platformId, entry.transactionId, entry.name])('ends with 5 if a report contained %s', async (text) => {
  const probed = { report: { ...ofEmpty, unusable: `it has ${text} twice` }, entries: [entry] }
  expect(await runAs(async () => probed)).toBe(5)
  expect(readdirSync(out)).not.toContain('probe.json')
})

it('finds identifiers and names that a fixture shares with the ledger, and shows none in a request', () => {
  expect(leaksInLedger([entry], [entry])).toEqual([entry.platformId, entry.transactionId, entry.name])
  const fixture = pseudonymise([entry])
  expect([leaksInLedger(fixture, [entry]), fixture[0]?.createdAt === entry.createdAt]).toEqual([[], false])
  const query = { from: 'secret shop', platformId: entry.platformId, minAmount: '12.75' }
  expect(described({ endpoint: 'guild', query }, 'source')).not.toMatch(/secret|942118|12\.75/)
})

it('ends with 3 and one line for another service', async () => {
  const error = new ProbeError('GET /guild/ledger/transactions failed: 200. Check the base URL.')
  expect(await runAs(() => Promise.reject(error))).toBe(3)
  expect(said).toBe(`guild-ledger-probe: ${error.message}\n`)
})

it.each([
  ['', '`--base-url`, `--api-key-env`, `--out`'],
  ['--dry-run', '`--base-url`, `--api-key-env`'],
  ['--base-url https://ledger.example --api-key-env KEY', '`--out`'],
])('names all options that %j lacks', async (typed, missing) => {
  expect(await run(typed.split(' ').filter(Boolean), environment)).toBe(2)
  expect(said).toBe(`guild-ledger-probe: Missing options: ${missing}. See --help.\n`)
})

it('does not repeat a key that is given in place of a name', async () => {
  expect(await run(['--base-url', 'https://ledger.example', '--api-key-env', 'sk-live-3f9a', '--out', out], {})).toBe(2)
  expect(said).toContain('`--api-key-env` must be the name of an environment variable')
  expect(said).not.toContain('sk-live')
})

it('annotates what is unexplained in GitHub Actions, and appends the report to the summary of the step', async () => {
  const summary = join(out, 'summary.md')
  Object.assign(environment, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary })
  try {
    await runWith({ findings: [unexplained], kinds: [{ kind: 'a fraction', related: [], requests: ['?page=1.5'] }] })
  } finally {
    Object.assign(environment, { GITHUB_ACTIONS: undefined, GITHUB_STEP_SUMMARY: undefined })
  }
  expect(said).toContain('::error title=pageUnit is unexplained::No value explains all responses.\n')
  expect(said).toContain(
    '::error title=unexplained::No value explains what the service does with a fraction: 1 request',
  )
  expect(readFileSync(summary, 'utf8')).toContain('| `pageUnit` | unexplained |')
})

it('wraps its table at the width of the terminal', () => {
  const lines = terminalReport(ofEmpty, 100).split('\n')
  expect(lines.filter((line) => line.length > 100)).toEqual([])
  expect(terminalReport(ofEmpty).split('\n').length).toBeLessThan(lines.length)
})

it('sends nothing with --dry-run', async () => {
  const probing = vi.fn<() => Promise<never>>()

  expect(await runAs(probing, '--dry-run')).toBe(0)
  expect(probing).not.toHaveBeenCalled()
  expect(printed).toContain('At most 150 requests, 4 per second')
})

it('writes no file when Ctrl+C interrupts it', async () => {
  const end = await runAs(async ({ signal }) => {
    process.emit('SIGINT')
    signal?.throwIfAborted()
    throw new Error('not interrupted')
  })

  expect(end).toBe(130)
  expect(said).toContain('no file was written')
  expect(readdirSync(out)).toEqual([])
})

it.each([
  ['is no JSON', 'pageUnit=group', /line 1, column 1: must be JSON/],
  ['is empty', '', /expected\.json: it is empty/],
  ['has an unknown assumption', '{"pageUnits":"group"}', /pageUnits/],
  ['has an unknown value', '\uFEFF{\r\n"pageUnit":"users"}', /line 2, column 12: `pageUnit` must/],
  ['has a finding that is none', '{"findings":[null]}', /not the report of a probe/],
  ['is the report of another service', '{"findings":[],"origin":"https://other.example"}', /not of `--base-url`/],
])('ends with 2 if the file of --expect %s', async (_, text, message) => {
  const file = join(out, 'expected.json')
  writeFileSync(file, text)

  expect(await runWith({}, '--expect', file)).toBe(2)
  expect(said).toMatch(message)
})

it('with --expect, accepts what was not decided, and what nothing explained, and no more', async () => {
  const file = join(out, 'expected.json')
  const inexplicable = [{ request: 'GET', aspect: 'items' }]
  const kinds = [
    { kind: 'an empty value (page)', related: ['an empty value (page)', 'an empty value'], requests: ['x'] },
  ]
  const findings = [{ ...unexplained, verdict: 'unproven' }]
  writeFileSync(file, JSON.stringify({ ...ofEmpty, findings, inexplicable, kinds }))
  const kindOf = (kind: string) => [{ kind, related: [kind], requests: ['x'] }]

  const known = { findings: [unexplained], inexplicable, kinds: kindOf('an empty value') }
  expect(await runWith(known, '--expect', file)).toBe(0)
  expect(await runWith({ inexplicable: [{ request: 'GET', aspect: 'total' }] }, '--expect', file)).toBe(4)
  expect(await runWith({ kinds: kindOf('a fraction') }, '--expect', file)).toBe(4)
})

it.each([1, 5, 20])('ends after %i requests, wherever the limit is reached', async (maxRequests) => {
  for (const change of ['static', 'growing'] as const) {
    const { assumptions, respond } = randomService(2, change, 120)
    const { findings, requests } = await probeFunction(respond, { maxRequests })

    expect(requests.sent).toBeLessThanOrEqual(maxRequests)
    expect(wrongIn(findings, { ...assumptions })).toEqual([])
    expect(findings.filter(({ verdict }) => verdict === 'unexplained')).toEqual([])
  }
})

it.each([
  ['a page of HTML', 200, 'text/html', '<!doctype html>'],
  ['a rejected key', 401, 'application/json', '{"success":false,"message":"Unauthorized - invalid API key"}'],
  ['another service', 200, 'application/json', '{"hello":"world"}'],
  ['a service that fails until the limit of requests is reached', 503, 'application/json', '{}'],
])('ends with a ProbeError for %s', async (_, status, type, body) => {
  const respond = () => ({ status, body, headers: { 'content-type': type } })
  await expect(probe({ ...optionsFor(respond), requestsPerSecond: 10, maxRequests: 1 })).rejects.toThrow(ProbeError)
})

it('writes files from the command line, accepts its own report, and rejects that of another service', async () => {
  const mock = createMockLedger({ users: 3, transactions: 25, rateLimit: 'off' })
  await using server = await startMockServer({ mock, port: 0 })
  const [cwd, files] = [process.cwd(), join(out, 'files')]
  try {
    // The letter is written where it is asked for, even under the name of a report.
    process.chdir(out)
    const args = ['--base-url', server.url, '--api-key-env', 'KEY', '--out', files, '--max-requests', '40']
    const letter = 'probe.md'
    expect(await run([...args, '--fixture', '--questions', letter], { KEY: mock.apiKey })).toBe(0)
    const report = JSON.parse(readFileSync(join(files, 'probe.json'), 'utf8')) as ProbeReport
    expect(report.tool.name).toBe('@guild-ledger/probe')
    expect(readFileSync(letter, 'utf8')).toContain('rateLimitScope')
    expect(readFileSync(join(files, 'ledger.ndjson'), 'utf8').trim().split('\n')).toHaveLength(25)
    expect(await run([...args, '--expect', join(files, 'probe.json')], { KEY: mock.apiKey })).toBe(0)
    const other = ['--base-url', 'http://127.0.0.1:9', '--api-key-env', 'KEY', '--out', files]
    expect(await run([...other, '--expect', join(files, 'probe.json')], { KEY: 'x' })).toBe(2)
    expect(await run(args, {})).toBe(2)
  } finally {
    process.chdir(cwd)
  }
})

it('decides what each further key shows', async () => {
  const assumptions = { expiredKeyStatus: 403, lapsedSubscriptionStatus: 402 } as const
  const mock = createMockLedger({ transactions: 1, rateLimit: 'off', assumptions })
  const keyWith = (scopes: 'guild:read'[], expiresAt: string) =>
    mock.guild.createKey({ name: 'key', scopes, expiresAt }).value
  const keys = {
    expired: keyWith(['guild:read'], '2020-01-01'),
    unscoped: keyWith([], '2999-01-01'),
    lapsed: mock.createGuild({ subscription: 'none' }).apiKey,
  }
  const given = { apiKey: mock.apiKey, baseUrl: mock.origin, fetch: mock.fetch as Fetch, keys }
  const options = { ...checkedOptions(given), requestsPerSecond: 5000 }

  const findings = await accessFindings(options, connect(options))

  expect(findings.map(({ key, verdict, value }) => [key, verdict, value])).toEqual([
    ['expiredKeyStatus', 'decided', 403],
    ['missingScopeStatus', 'decided', 401],
    ['lapsedSubscriptionStatus', 'decided', 402],
  ])
})
