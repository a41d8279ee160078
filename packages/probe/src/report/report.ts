import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { assume, assumptionDefinitions, formatAssumptions } from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { failuresOf, type Failure } from '../infer/confirm.ts'
import type { Inference } from '../infer/inference.ts'
import { isKind, nameOf } from '../infer/kinds.ts'
import { isWhole } from '../infer/observation.ts'

import type { CheckedOptions, Finding, ProbeReport } from '../types.ts'
import { comparedWith, valuesIn } from './changes.ts'
import { described } from './findings.ts'

const packageFile = new URL(import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json', import.meta.url)
export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version

const kindsIn = ({ blamed }: Inference, failures: readonly Failure[]): ProbeReport['kinds'] =>
  [...blamed].filter(isKind).map((kind) => {
    const failing = failures.flatMap(({ excuses, observation }) => (excuses.includes(kind) ? [observation] : []))
    return {
      kind: nameOf(kind),
      related: [...new Set(failing.flatMap(({ kinds }) => kinds))].map(nameOf),
      requests: [...new Set(failing.map(({ request, place }) => described(request, place)))],
    }
  })

const comparisonOf = (
  { observations, reference }: Inference,
  failures: readonly Failure[],
): ProbeReport['comparison'] => {
  const failing = new Set(failures.map(({ observation }) => observation))
  const agreeing = observations.filter((one) => !failing.has(one))
  const explained = agreeing.filter((one) => isWhole(one, reference)).length
  return { explained, inPart: agreeing.length - explained, different: failing.size }
}

export const reportOf = (
  { baseUrl, expected }: CheckedOptions,
  explorer: Explorer,
  findings: readonly Finding[],
  requests: ProbeReport['requests'],
  startedAt: Date,
): ProbeReport => {
  const { ledger, inference, unsteady } = explorer
  const values = valuesIn(findings)
  const failures = failuresOf(inference)
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
    unsteady: [...new Set(unsteady.map(({ request, place }) => described(request, place)))],
    inexplicable: inference.conflicts.flatMap(({ isInexplicable, observation: one, aspect }) =>
      isInexplicable && one && aspect ? [{ request: described(one.request, one.place), aspect }] : [],
    ),
    kinds: kindsIn(inference, failures),
    comparison: comparisonOf(inference, failures),
    ...comparedWith(expected ?? { assumptions: {} }, findings),
  }
}
