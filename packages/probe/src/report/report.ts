import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  assume,
  assumptionDefinitions,
  formatAssumptions,
  type Assumptions,
} from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { parts } from '../infer/aspects.ts'
import { failuresOf } from '../infer/confirm.ts'
import { amounts } from '../infer/conflict.ts'
import { failingIn } from '../infer/observation.ts'
import type { Service } from '../read/service.ts'
import type { CheckedOptions, Finding, ProbeReport } from '../types.ts'
import { comparedWith } from './changes.ts'
import { described } from './findings.ts'

/** Compares all responses with those of a mock that has the values that are written. */
const compare = ({ inference, ledger }: Explorer, values: Partial<Assumptions>): ProbeReport['comparison'] => {
  const { blamed, observations, reference } = inference
  const written = { ...reference, ...values }
  let [compared, different] = [0, 0]
  if (ledger.unusable !== undefined) return { compared, different }
  for (const observation of observations) {
    const { request, copies } = observation
    const [copy, ...others] = copies
    if (!copy || others.length > 0) continue
    if (parts.some((part) => copy.predict(request, written, part).reads.some((key) => blamed.has(key)))) continue
    for (const part of parts) {
      compared += copy.shown(request, written, part).length
      different += failingIn(observation, part, written).length
    }
  }
  return { compared, different }
}

const packageFile = new URL(import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json', import.meta.url)
export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version

interface Context {
  readonly options: CheckedOptions
  readonly explorer: Explorer
  readonly findings: readonly Finding[]
  readonly service: Service
  readonly startedAt: Date
  /** Requests sent when reading ended. */
  readonly read: number
}

export const reportOf = ({ options, explorer, findings, service, startedAt, read }: Context): ProbeReport => {
  const { ledger, inference } = explorer
  const decided = findings.filter(({ verdict }) => verdict === 'decided')
  const values = Object.fromEntries(decided.map(({ key, value }) => [key, value])) as Partial<Assumptions>
  const { sent, rateLimited } = service.counts
  const failures = inference.blamed.has(amounts) ? failuresOf(inference) : []
  const ofAmounts = failures.filter(({ keys }) => keys.has(amounts))
  return {
    $schema: `https://unpkg.com/@guild-ledger/probe@${version}/probe.schema.json`,
    tool: { name: '@guild-ledger/probe', version },
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
    origin: new URL(options.baseUrl).origin,
    assumptions: {
      base: formatAssumptions(values),
      hash: createHash('sha256')
        .update(JSON.stringify([assumptionDefinitions, assume(values)]))
        .digest('hex')
        .slice(0, 16),
    },
    requests: {
      sent,
      limit: options.maxRequests,
      reading: read,
      inference: sent - read - explorer.verifications,
      verification: explorer.verifications,
      rateLimited,
    },
    transactions: ledger.entries.length,
    isWindow: ledger.window !== undefined,
    ...(ledger.unusable !== undefined && { unusable: ledger.unusable }),
    values,
    findings,
    inexplicable: [...inference.conflicts.filter(({ isInexplicable }) => isInexplicable), ...ofAmounts].flatMap(
      ({ observation: one, aspect }) => (one && aspect ? [{ request: described(one.request, one.place), aspect }] : []),
    ),
    comparison: compare(explorer, values),
    ...comparedWith(options.expected ?? { assumptions: {}, unexplained: [] }, findings),
  }
}
