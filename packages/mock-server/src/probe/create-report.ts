import { type AssumptionKey, type Assumptions } from '../assumptions/index.ts'
import type { Inference } from './learn.ts'
import type { ProbeRequest } from './model/probe-request.ts'
import { assumptionOf, type Value } from './model/variables.ts'
import type { ProbeChange, ProbeExpectation, ProbeFinding, ProbeProof, ProbeReport } from './types.ts'
import { allKeys, valuesIn, type Verdict } from './verdicts.ts'

/** What a report is made of. */
export interface ReportParts {
  readonly inference: Inference
  readonly verdicts: readonly Verdict[]
  readonly proof: ProbeProof
  readonly requests: ProbeReport['requests']
  readonly expected: Partial<Assumptions> | undefined
}

const hidden: Readonly<Record<string, string>> = {
  platformId: '{platformId}',
  from: '{source}',
  startDate: '{time}',
  endDate: '{time}',
  minAmount: '{amount}',
  maxAmount: '{amount}',
}

/** A request without identifiers, names and times of the ledger. */
export const describeRequest = ({ user, parameters }: ProbeRequest): string => {
  const path = user === null ? '/guild/ledger/transactions' : '/guild/ledger/{platformId}/transactions'
  const search = parameters
    .map(([name, text]) => `${name}=${text === 'bogus' ? text : (hidden[name] ?? text)}`)
    .join('&')
  return search === '' ? `GET ${path}` : `GET ${path}?${search}`
}

const evidenceFor = (key: AssumptionKey, { knowledge }: Inference): ProbeFinding['evidence'] =>
  knowledge.evidence
    .filter(({ targets }) => targets.some((target) => assumptionOf(target) === key))
    .map(({ request, response }) => ({ request: describeRequest(request), status: response.status }))

/** Stands for a number above 1 that is not known. Only the inference uses it. */
const isUnknownNumber = (value: Value): boolean => value === 'finite'

/** What cannot be known has not changed as far as anybody can tell. */
const isPossible = ({ candidates, verdict }: Verdict, value: Value): boolean =>
  verdict === 'skipped' ||
  verdict === 'unobservable' ||
  candidates.includes(value) ||
  (candidates.some(isUnknownNumber) && typeof value === 'number' && value > 1)

const changesIn = (
  expected: Partial<Assumptions>,
  findings: readonly ProbeFinding[],
  verdicts: ReadonlyMap<AssumptionKey, Verdict>,
): ProbeChange[] =>
  findings.flatMap((finding) => {
    const { key } = finding
    const verdict = verdicts.get(key)
    const value = expected[key]
    if (value === undefined || !verdict) return []
    const isSame =
      verdict.verdict === 'decided'
        ? verdict.value === value
        : verdict.verdict !== 'outside' && isPossible(verdict, value)
    return isSame ? [] : [{ key, expected: value, finding }]
  })

/** Whether the expected value of an assumption agrees with the responses, and no other value does that responds otherwise. */
const isChecked = ({ verdict, value, candidates }: Verdict, expected: Value, inference: Inference): boolean =>
  verdict === 'decided' ||
  (verdict === 'consistent' &&
    inference.isComplete &&
    !inference.tracker.hasShrunk &&
    candidates.includes(expected) &&
    (candidates.length === 1 || value !== undefined))

/** `changes` were checked too: a value that contradicts a response is known to be wrong. */
const expectationOf = (
  expected: Partial<Assumptions>,
  changes: readonly ProbeChange[],
  verdicts: ReadonlyMap<AssumptionKey, Verdict>,
  inference: Inference,
): ProbeExpectation => {
  const keys = allKeys.filter((key) => expected[key] !== undefined)
  const changed = new Set(changes.map(({ key }) => key))
  const unchecked = keys.filter((key) => {
    const verdict = verdicts.get(key)
    return !changed.has(key) && !(verdict && isChecked(verdict, expected[key] as Value, inference))
  })
  return { values: keys.length, unchecked }
}

/** A verdict with real values only. */
const withRealValues = (verdict: Verdict): Verdict => {
  const { candidates, needs = 'more requests' } = verdict
  if (!candidates.some(isUnknownNumber)) return verdict
  const real = candidates.filter((value) => !isUnknownNumber(value))
  return {
    ...verdict,
    candidates: real,
    needs: `${needs} (a number above 1 is possible too)`,
    ...(real.length === 0 && { observed: 'a number above 1' }),
  }
}

/** Makes the report. Nothing in it identifies a user, a transaction or a key. */
export const createReport = ({ inference, verdicts, proof, requests, expected }: ReportParts): ProbeReport => {
  const byKey = new Map(verdicts.map((verdict) => [verdict.key, verdict]))
  const findings = allKeys.flatMap((key): ProbeFinding[] => {
    const found = byKey.get(key)
    if (!found)
      return [{ key, verdict: 'skipped', candidates: [], needs: 'a later version of the probe', evidence: [] }]
    return [{ ...withRealValues(found), evidence: evidenceFor(key, inference) }]
  })
  const changes = changesIn(expected ?? {}, findings, byKey)
  const transactions = inference.tracker.copy.byId.size
  return {
    assumptions: valuesIn(verdicts),
    findings,
    unexplained: inference.conflicts.map(({ evidence, aspect }) => ({
      request: describeRequest(evidence.request),
      aspect,
    })),
    changes,
    ...(expected && { expectation: expectationOf(expected, changes, byKey, inference) }),
    hasShrunk: inference.tracker.hasShrunk,
    proof,
    requests,
    transactions,
    isWindow: inference.tracker.copy.window !== undefined,
    isEmpty: inference.isComplete && inference.knowledge.evidence.length > 0 && transactions === 0,
  }
}
