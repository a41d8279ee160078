import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { assume, assumptionDefinitions, formatAssumptions } from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { parts, type Part } from '../infer/aspects.ts'
import { failuresOf } from '../infer/confirm.ts'
import { amounts } from '../infer/conflict.ts'
import { failingIn } from '../infer/observation.ts'
import type { CheckedOptions, Finding, ProbeReport } from '../types.ts'
import { comparedWith, valuesIn } from './changes.ts'
import { described } from './findings.ts'

/** Compares all responses with those of a mock that has the values that are decided. */
const compare = ({ inference, ledger }: Explorer): ProbeReport['comparison'] => {
  const { blamed, observations, reference } = inference
  let [compared, different] = [0, 0]
  for (const observation of ledger.unusable === undefined ? observations : []) {
    const { request, copies } = observation
    const [copy, ...others] = copies
    const isGivenUp = (part: Part) => copy?.predict(request, reference, part).reads.some((key) => blamed.has(key))
    if (!copy || others.length > 0 || parts.some(isGivenUp)) continue
    for (const part of parts) {
      compared += copy.shown(request, reference, part).length
      different += failingIn(observation, part, reference).length
    }
  }
  return { compared, different }
}

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
  const ofAmounts = inference.blamed.has(amounts) ? failuresOf(inference).filter(({ keys }) => keys.has(amounts)) : []
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
    comparison: compare(explorer),
    ...comparedWith(expected ?? { assumptions: {} }, findings),
  }
}
