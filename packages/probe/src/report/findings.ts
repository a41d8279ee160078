import { assume, type AssumptionKey, type ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { parts } from '../infer/aspects.ts'
import { readsOf } from '../infer/blame.ts'
import { failuresOf, type Failure } from '../infer/confirm.ts'
import { inferable, isExact, leastOf, valuesOf, type Solution, type Value } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import { isValid } from '../infer/kinds.ts'
import { failingIn, isWhole, type Observation } from '../infer/observation.ts'
import { targetOf } from '../read/service.ts'
import type { Finding } from '../types.ts'
import { exceptionsTo, needsOfOne, needsOfSeveral } from './needs.ts'

/** A request with pseudonyms in the place of identifiers, and without the words of the ledger. */
export const described = ({ endpoint, query = {} }: ModelRequest, place: string): string => {
  const isData = (name: string) => /^(platformId|from|(start|end)Date|.*Amount)$/.test(name) && !/invalid/.test(place)
  const pseudonym = `{${place.replace(/^user /, '')}}`
  const shown = Object.entries(query).map(([name, value]) =>
    isData(name) ? [name, [value].flat().map(() => pseudonym)] : [name, value],
  )
  const target = targetOf({ endpoint, platformId: 'platformId', query: Object.fromEntries(shown) as typeof query })
  return decodeURIComponent(target.replace('/platformId/', '/{platformId}/').replaceAll('+', ' '))
}

/**
 * The value of an assumption with which most of the responses that tell its values apart are those of a mock; `undefined` if
 * it is not certain that there is one.
 */
const nearestOf = (key: AssumptionKey, { initial, observations, reference }: Inference): Value | undefined => {
  const solutions = (initial.get(key) ?? []).map((value) => ({ ...reference, [key]: value }))
  const explains = (one: Observation, solution: Solution) =>
    parts.every((part) => failingIn(one, part, solution).length === 0)
  const telling = observations
    .filter((one) => readsOf(one, reference).has(key))
    .map((one) => ({ one, explained: solutions.map((solution) => explains(one, solution)) }))
    .filter(({ explained }) => new Set(explained).size > 1)
  // Invalid input counts only where nothing else tells the values apart.
  const valid = telling.filter(({ one }) => isValid(one.kinds))
  const counted = valid.length > 0 ? valid : telling
  const isNearer = (i: number, other: number): boolean => {
    const isSure = ({ one, explained }: (typeof telling)[number]) => !!explained[i] && isWhole(one, solutions[i] ?? {})
    const ahead = counted.filter((response) => !response.explained[other] && isSure(response))
    const behind = counted.filter((response) => response.explained[other] && !isSure(response))
    // It explains at least two responses that the other does not, and all that the other does.
    return ahead.length >= 2 && behind.length === 0
  }
  return solutions
    .filter((_, i) => solutions.every((_other, other) => other === i || isNearer(i, other)))
    .map((solution) => solution[key] ?? null)
    .find((value) => isExact(key, value, initial))
}

/** The finding on an assumption that the probe sent no request for. */
export const open = (key: AssumptionKey, needs: string, candidates = valuesOf(key)): Finding => {
  return { key, verdict: 'open', candidates, needs, evidence: [] }
}

/** The verdict on each assumption that requests with one key can show. */
export const findingsOf = (explorer: Explorer, isCutShort: boolean): Finding[] => {
  const { inference, ledger, unsteady } = explorer
  const { blamed, conflicts, domains, initial } = inference
  if (ledger.unusable !== undefined) {
    const needs = `The ledger could not be used: ${ledger.unusable}.`
    return inferable.map((key) => open(key, needs, shownValues(key, initial.get(key) ?? [])))
  }
  const failures = failuresOf(inference)
  const isHopeless = ({ aspect, observation: { request } }: Failure) =>
    conflicts.some(
      (one) => one.isInexplicable && one.aspect === aspect && one.observation?.request.endpoint === request.endpoint,
    )
  // What nothing that was given up explains withdraws everything that it depends on.
  const others = failures.filter((one) => one.excuses.length === 0 && !isHopeless(one))
  const withdrawn = new Set([...blamed, ...others.flatMap(({ keys }) => [...keys])])
  return inferable.map((key): Finding => {
    const requests = conflicts.flatMap(({ nogood, observation: one }) =>
      one && nogood.has(key) ? [described(one.request, one.place)] : [],
    )
    const evidence = [...new Set(requests)].slice(0, 3)
    if (withdrawn.has(key) || unsteady.length > 0) {
      const failing = failures.flatMap(({ observation, keys }) => (keys.has(key) ? [observation] : []))
      const responses = [...failing, ...unsteady].map(({ request, place }) => described(request, place))
      const value = unsteady.length > 0 ? undefined : nearestOf(key, inference)
      const nearest = value === undefined ? {} : { value }
      return { key, verdict: 'unexplained', ...nearest, candidates: [], unexplained: [...new Set(responses)], evidence }
    }
    const values = domains.get(key) ?? []
    const [value = null] = values
    const candidates = shownValues(key, values)
    const isOne = values.length === 1 && isExact(key, value, initial)
    const needs = isOne ? needsOfOne(key, value, explorer, failures) : needsOfSeveral(key, values, explorer, isCutShort)
    const except = exceptionsTo(key, failures)
    if (needs === undefined)
      return { key, verdict: 'decided', value, ...(except.length > 0 && { except }), candidates, evidence }
    const verdict = isOne ? 'unproven' : isCutShort ? 'open' : 'ambiguous'
    return { key, verdict, candidates, needs, evidence }
  })
}

/** Numbers that stand for a range are not shown as if they were the only ones. */
const shownValues = (key: AssumptionKey, values: readonly Value[]): readonly Value[] =>
  leastOf(key) === undefined || values.length === 1
    ? values
    : values.filter((value) => value === null || value === assume()[key])
