import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { ReportInput } from '@guild-ledger/mock-server/sweep'
import { fileWith, folder, runToExit, startJson } from '../cli-process.ts'

const planted = join(import.meta.dirname, '../sweep-planted')

it('sweeps only what the probe of a service left undecided', { timeout: 180_000 }, async () => {
  const assumptions = fileWith(JSON.stringify({ createdAtFormat: 'offset', sourceMatch: 'contains' }))
  const { ready } = await startJson(
    '--assumptions',
    assumptions,
    '--rate-limit',
    'off',
    '--transactions',
    '60',
    '--users',
    '5',
  )
  const out = folder()
  vi.stubEnv('PROBED_KEY', ready.apiKey)

  const service = ['--base-url', ready.url, '--api-key-env', 'PROBED_KEY']
  const probed = await runToExit('probe', ...service, '--out', out, '--rps', '10')
  const file = join(out, 'assumptions.json')
  const swept = await runToExit('sweep', '--json', '--skip', file, '--vitest', '--', '--root', planted, 'own')

  expect(probed).toMatchObject({ code: 0 })
  const decided = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  expect(decided).toMatchObject({ pageUnit: 'transaction', createdAtFormat: 'offset', sourceMatch: 'contains' })
  const { report } = JSON.parse(swept.out) as ReportInput
  expect(report.skipped.toSorted()).toEqual(Object.keys(decided).toSorted())
  // It expects another format than the service has.
  const contradicting = report.breaks.filter(({ values }) => Object.keys(values).some((key) => key in decided))
  expect(contradicting.map(({ test, values }) => [test, values])).toEqual([
    ['own.vitest.ts > reads milliseconds, through its own mock', { createdAtFormat: 'offset' }],
  ])
  expect(swept.code).toBe(1)
  expect(report.setAside).toEqual([])
  const others = report.breaks.filter((one) => !contradicting.includes(one))
  const tried = new Set([...others.flatMap(({ values }) => Object.keys(values)), ...report.untouched])
  expect([...tried].filter((key) => key in decided)).toEqual([])
})
