import { assumptionDefinitions, type AssumptionKey, type Assumptions } from '../assumptions/index.ts'
import { contested } from './contested.ts'
import { isHalfOpen, lackingFor, listOf, needs } from './lacking.ts'
import { contradictionsNeeded, type Inference } from './learn.ts'
import { rivalNeeds } from './rivals.ts'
import {
  inferable,
  isForeign,
  meaningOfKind,
  valuesTried,
  variablesOf,
  type Inferable,
  type Value,
} from './model/variables.ts'

/** What is known of one assumption. */
export interface Verdict {
  readonly key: AssumptionKey
  /** See `ProbeFinding`. */
  readonly verdict: 'decided' | 'consistent' | 'open' | 'unobservable' | 'outside' | 'skipped'
  /** The value if it is decided, or else one that is not proven but responds like what was observed. */
  readonly value?: Value
  /** Values that explain everything observed. */
  readonly candidates: readonly Value[]
  /** Behaviour of the service that is none of the values. */
  readonly observed?: string
  /** What would decide it. */
  readonly needs?: string
}

const meanings = (variable: string, value: Value): readonly Value[] =>
  meaningOfKind[variable]?.[String(value)] ?? [value]

const isIrrelevant = (variable: string, { knowledge }: Inference): boolean => {
  const most = knowledge.space.domains.get('maxPage') ?? []
  return variable === 'invalidParameter.pageAbove' && (most.length !== 1 || most[0] === null)
}

/** The values of each kind, without behaviours that no request can tell from a value. */
const valuesByKind = (key: Inferable, inference: Inference) =>
  variablesOf(key)
    .filter((variable) => !isIrrelevant(variable, inference))
    .map((variable) => {
      const alive = inference.knowledge.space.domains.get(variable) ?? []
      const real = alive.filter((value) => !isForeign(variable, value))
      return { variable, alive, values: [...new Set(real.flatMap((value) => meanings(variable, value)))] }
    })

/** Why a ledger that was not read to its end shows nothing. */
const readNeeds = ({ isCutShort, lacks, reason }: Inference): string => {
  if (isCutShort) return lacks
  const needed = 'a ledger that can be read to its end'
  return reason === undefined ? needed : `${needed}: ${reason}`
}

/** Every value that an assumption can have. */
const allValues = (key: Inferable): readonly Value[] => [
  ...new Set(
    variablesOf(key).flatMap((variable) =>
      valuesTried(variable)
        .filter((value) => !isForeign(variable, value))
        .flatMap((value) => meanings(variable, value)),
    ),
  ),
]

const verdictOf = (key: Inferable, inference: Inference, outside: ReadonlySet<string>): Verdict => {
  const kinds = valuesByKind(key, inference)
  const blamed = kinds.filter(({ variable }) => outside.has(variable))
  const foreignOnly = kinds.filter(({ alive, values }) => values.length === 0 && alive.length > 0)
  const common = kinds.reduce<readonly Value[]>(
    (left, { values }) => left.filter((value) => values.includes(value)),
    kinds[0]?.values ?? [],
  )
  if (inference.tracker.hasShrunk) {
    return {
      key,
      verdict: 'consistent',
      // What was read is not what the responses are of.
      candidates: allValues(key),
      needs: 'a ledger that keeps its transactions while it is probed',
    }
  }
  if (inference.contradictions >= contradictionsNeeded) {
    return { key, verdict: 'outside', candidates: common, observed: 'different responses to the same request' }
  }
  if (!inference.isComplete) {
    return { key, verdict: 'consistent', candidates: common, needs: readNeeds(inference) }
  }
  if (blamed.length > 0 || common.length === 0) {
    const seen = (foreignOnly.length > 0 ? foreignOnly : kinds).map(
      ({ variable, alive }) => `${variable}: ${listOf(alive)}`,
    )
    return {
      key,
      verdict: 'outside',
      candidates: common,
      observed: blamed.length > 0 ? 'no value explains it' : seen.join('; '),
    }
  }
  const isUnchecked = inference.progress.changes > 0 && !inference.hasCheckedOldest
  if (isUnchecked || (inference.isCutShort && common.length > 1))
    return { key, verdict: 'open', candidates: common, needs: inference.lacks }
  const [value] = common
  const isUnsettled = inference.isCutShort && kinds.some(({ alive }) => alive.length > 1)
  const lacking = lackingFor(key, value, inference) ?? (common.length === 1 ? rivalNeeds(key, inference) : undefined)
  if (common.length > 1 || value === 'finite' || lacking !== undefined || isUnsettled) {
    const isWithoutEffect = key === 'emptyTotalPages' && !hasEmptyPage(inference)
    if (isWithoutEffect)
      return { key, verdict: 'unobservable', candidates: common, needs: 'a 200 without transactions' }
    return {
      key,
      verdict: inference.isCutShort ? 'open' : 'consistent',
      ...(!inference.isCutShort && value !== undefined && isHalfOpen(key, inference) && { value }),
      candidates: common,
      needs: inference.isCutShort ? inference.lacks : lackingIn(key, lacking, inference),
    }
  }
  return { key, verdict: 'decided', value: value as Value, candidates: common }
}

/** What would decide an assumption of which several values are left. */
const lackingIn = (key: Inferable, lacking: string | undefined, { expected }: Inference): string =>
  expected && !Object.hasOwn(expected, key)
    ? 'not checked, because it is not among the expected values'
    : (lacking ?? needs[key] ?? 'another ledger')

const hasEmptyPage = ({ knowledge }: Inference): boolean =>
  (knowledge.space.domains.get('notFoundWhen.match') ?? []).includes('200')

/** What is known of every assumption that one valid key can show. */
export const verdictsOf = (inference: Inference): Verdict[] => {
  const outside = contested(inference)
  return inferable.map((key) => verdictOf(key, inference, outside))
}

/** The decided values, and those that respond like everything else that explains what was observed. */
export const valuesIn = (verdicts: readonly Verdict[]): Partial<Assumptions> =>
  Object.fromEntries(verdicts.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]])))

/** The decided values. */
export const decidedIn = (verdicts: readonly Verdict[]): Partial<Assumptions> =>
  valuesIn(verdicts.filter(({ verdict }) => verdict === 'decided'))

/** Every assumption, also those that are not inferred here. */
export const allKeys = Object.keys(assumptionDefinitions) as AssumptionKey[]
