import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { assume, assumptionDefinitions, formatAssumptions } from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { failuresOf } from '../infer/confirm.ts'
import { amounts } from '../infer/conflict.ts'
import type { CheckedOptions, Finding, ProbeReport } from '../types.ts'
import { comparedWith, valuesIn } from './changes.ts'
import { described } from './findings.ts'

const packageFile = new URL(import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json', import.meta.url)
export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version

export const reportOf = (
  { baseUrl, expected }: CheckedOptions,
  explorer: Explorer,
  findings: readonly Finding[],
  requests: ProbeReport['requests'],
  startedAt: Date,
): ProbeReport => {
  const { ledger, inference } = explorer
  const values = valuesIn(findings)
  const failures = failuresOf(inference)
  const ofAmounts = inference.blamed.has(amounts) ? failures.filter(({ keys }) => keys.has(amounts)) : []
  return {
    $schema: `https://unpkg.com/@guild-ledger/probe@${version}/probe.schema.json`,
    tool: { name: '@guild-ledger/probe', version },
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
    origin: new URL(baseUrl).origin,
    assumptions: {
      base: formatAssumptions(values),
      hash: hash('sha256', JSON.stringify([assumptionDefinitions, assume(values)])).slice(0, 16),
    },
    requests,
    transactions: ledger.entries.length,
    isWindow: ledger.window !== undefined,
    ...(ledger.unusable !== undefined && { unusable: ledger.unusable }),
    values,
    findings,
    inexplicable: [...inference.conflicts.filter(({ isInexplicable }) => isInexplicable), ...ofAmounts].flatMap(
      ({ observation: one, aspect }) => (one && aspect ? [{ request: described(one.request, one.place), aspect }] : []),
    ),
    comparison: {
      compared: inference.observations.length,
      different: new Set(failures.map(({ observation }) => observation)).size,
    },
    ...comparedWith(expected ?? { assumptions: {} }, findings),
  }
}
