import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { assume, assumptionDefinitions, formatAssumptions } from '@guild-ledger/mock-server/assumptions'
import { staleEntries, withAccepted, type AcceptedBreak } from '../lock.ts'
import type { SweepFindings } from '../sweep.ts'
import type { ResultKind, TestResult, Values } from '../types.ts'

/** What a sweep reports: `sweep.json`, described by `sweep.schema.json`. */
export interface SweepReport extends Omit<SweepFindings, 'results'> {
  readonly $schema: string
  readonly tool: { readonly name: string; readonly version: string }
  /** ISO 8601. */
  readonly startedAt: string
  /** What ran the tests. */
  readonly runner: string
  /** Commit of the tests, where they are in a Git repository. */
  readonly commit?: string
  /** The values that every run started from, where they are not the defaults, and a hash of all assumptions and values. */
  readonly assumptions: { readonly base: string; readonly hash: string }
  /** Number of tests. */
  readonly tests: number
  readonly results: readonly TestResult[]
  /** Entries of `sweep.lock` that accept nothing any more. */
  readonly stale: readonly AcceptedBreak[]
}

const packageFile = new URL(import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json', import.meta.url)
/** Version of this package. */
export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version

const commitOf = (): string | undefined => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

interface Context {
  readonly runner: string
  readonly startedAt: Date
  readonly base: Values
  readonly lock: readonly AcceptedBreak[]
}

/** The report of a sweep. */
export const reportOf = (findings: SweepFindings, { runner, startedAt, base, lock }: Context): SweepReport => {
  const commit = commitOf()
  const everything = JSON.stringify([assumptionDefinitions, assume(base)])
  return {
    $schema: `https://unpkg.com/@guild-ledger/sweep@${version}/sweep.schema.json`,
    tool: { name: '@guild-ledger/sweep', version },
    startedAt: startedAt.toISOString(),
    runner,
    ...(commit !== undefined && { commit }),
    assumptions: {
      base: formatAssumptions(base),
      hash: createHash('sha256').update(everything).digest('hex').slice(0, 16),
    },
    tests: findings.results.length,
    ...findings,
    results: withAccepted(findings.results, lock),
    stale: staleEntries(findings, lock),
  }
}

/** A test that breaks, and is accepted under each value, is none that breaks. */
const kindOf = ({ result, breaks }: TestResult): ResultKind | 'accepted' =>
  result === 'breaks' && breaks.every(({ accepted }) => accepted !== undefined) ? 'accepted' : result

/** The tests with a result. */
export const testsWith = ({ results }: SweepReport, kind: ResultKind | 'accepted'): TestResult[] =>
  results.filter((result) => kindOf(result) === kind)

/** The exit code: 1 where a test breaks, an accepted entry is stale, or, if asked for, a test has no judgement. */
export const exitCodeOf = (report: SweepReport, strict: { notJudged: boolean; unreached: boolean }): 0 | 1 => {
  const fails =
    testsWith(report, 'breaks').length > 0 ||
    report.stale.length > 0 ||
    (strict.notJudged && report.results.some((result) => result.notJudged.length > 0)) ||
    (strict.unreached && testsWith(report, 'unreached').length > 0)
  return fails ? 1 : 0
}
