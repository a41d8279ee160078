import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import type { Fetch } from '@guild-ledger/sdk'
import { expect, it, vi } from 'vitest'
import { run } from '../src/cli/run.ts'
import { probe, ProbeError, type ProbeReport } from '../src/index.ts'
import { checkedOptions } from '../src/options.ts'
import { connect } from '../src/read/service.ts'
import { accessFindings } from '../src/report/access.ts'
import { randomService } from './support/random-service.ts'
import { optionsFor, probeFunction, wrongIn } from './support/run-probe.ts'

// The command line, too, probes without waiting for its turn.
vi.mock(import('../src/probe.ts'), async (importOriginal) => {
  const own = await importOriginal()
  return { ...own, probeWithData: (options) => own.probeWithData({ ...options, requestsPerSecond: 5000 }) }
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

it(
  'writes files from the command line, accepts its own report, and rejects that of another service',
  { timeout: 120_000 },
  async () => {
    const mock = createMockLedger({ users: 3, transactions: 25, rateLimit: 'off' })
    await using server = await startMockServer({ mock, port: 0 })
    const folder = mkdtempSync(join(tmpdir(), 'probe-'))
    const out = join(folder, 'out')
    const cwd = process.cwd()
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      // The letter is written where it is asked for, even under the name of a report.
      process.chdir(folder)
      const args = ['--base-url', server.url, '--api-key-env', 'KEY', '--out', out, '--max-requests', '40']
      const letter = 'probe.md'
      expect(await run([...args, '--fixture', '--questions', letter], { KEY: mock.apiKey })).toBe(0)
      const report = JSON.parse(readFileSync(join(out, 'probe.json'), 'utf8')) as ProbeReport
      expect(report.tool.name).toBe('@guild-ledger/probe')
      expect(readFileSync(letter, 'utf8')).toContain('rateLimitScope')
      expect(readFileSync(join(out, 'ledger.ndjson'), 'utf8').trim().split('\n')).toHaveLength(25)
      expect(await run([...args, '--expect', join(out, 'probe.json')], { KEY: mock.apiKey })).toBe(0)
      const other = ['--base-url', 'http://127.0.0.1:9', '--api-key-env', 'KEY', '--out', out]
      expect(await run([...other, '--expect', join(out, 'probe.json')], { KEY: 'x' })).toBe(2)
      expect(await run(args, {})).toBe(2)
    } finally {
      vi.restoreAllMocks()
      process.chdir(cwd)
      rmSync(folder, { recursive: true })
    }
  },
)

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
