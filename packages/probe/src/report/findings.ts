import { assume, type AssumptionKey, type ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { parts } from '../infer/aspects.ts'
import { formsOf } from '../ask/texts.ts'
import { failuresOf, isConfirmed, type Failure } from '../infer/confirm.ts'
import { failingIn } from '../infer/observation.ts'
import { needsOfTextOrder } from '../infer/text-order.ts'
import { inferable, isExact, leastOf, valuesOf, type Value } from '../infer/domains.ts'
import { targetOf } from '../read/service.ts'
import type { Finding } from '../types.ts'

const maxEvidence = 3

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

/** What is missing to prove the only value that is left: a behaviour that is no value may look the same. */
const needsOfOne = (
  key: AssumptionKey,
  value: Value,
  explorer: Explorer,
  failures: readonly Failure[],
): string | undefined => {
  const { ledger, inference, order } = explorer
  if (ledger.entries.length === 0) return 'a ledger with transactions'
  const isOrder = key === 'tieOrder' || key === 'groupOrder'
  if (isOrder && value === 'ledger' && ((key === 'groupOrder' && ledger.window) || !order.followsTime[key]()))
    return 'a ledger whose order of entry shows in createdAt: another fixed order looks the same'
  const isBound = key === 'startDateBound' || key === 'endDateBound'
  const bounds = [inference.domains.get('startDateBound'), inference.domains.get('endDateBound')].join()
  if (isBound && (ledger.copy.hidesDigits || bounds === 'inclusive,exclusive'))
    return 'createdAt with all digits: a service that stores more digits than it shows behaves the same'
  if (value !== 'ledger' && !isConfirmed(key, inference))
    return 'a response that shows it: the other values were only ruled out'
  // Where responses are not explained that depend on it, others have to show it; none can if those are about it.
  const isDoubted = ({ observation, keys, about }: Failure) =>
    about.includes(key) || (keys.has(key) && !isConfirmed(key, inference, [observation.request.endpoint]))
  if (failures.some(isDoubted)) return 'a response that shows it, and depends on nothing that is unexplained'
  const words = () => new Map(formsOf(ledger.entries.map(({ source }) => source))).get('word')
  if (key === 'sourceMatch' && (value === 'exact' || value === 'case-insensitive') && words()?.length === 0)
    return 'a source of several words: a match of whole words looks the same'
  const isOneEach = new Set(ledger.entries.map(({ platformId }) => platformId)).size === ledger.entries.length
  if (isOneEach && (key === 'pageUnit' || key === 'totalUnit')) return 'a user with two transactions'
  return key === 'nameOrder' || key === 'groupOrder' ? needsOfTextOrder(key, value, inference.observations) : undefined
}

/** The value of an assumption that explains most of the responses. */
const nearestOf = (key: AssumptionKey, { inference: { initial, observations, reference } }: Explorer): Value => {
  const values = initial.get(key) ?? []
  const failures = values.map((value) => {
    const solution = { ...reference, [key]: value }
    return observations.flatMap((one) => parts.flatMap((part) => failingIn(one, part, solution))).length
  })
  return values[failures.indexOf(Math.min(...failures))] ?? null
}

/** What would tell the values that are left apart. */
const needsOfSeveral = (values: readonly Value[]): string =>
  `a ledger that tells ${values.length > 1 ? values.slice(0, 5).map(String).join(' and ') : 'the numbers that are left'} apart`

/** The finding on an assumption of which several values are left, or one that is not proved. */
export const consistent = (key: AssumptionKey, needs: string, candidates = valuesOf(key)): Finding => {
  return { key, verdict: 'consistent', candidates, needs, evidence: [] }
}

/** The verdict on each assumption that requests with one key can show. */
export const findingsOf = (explorer: Explorer, isCutShort: boolean): Finding[] => {
  const { inference, ledger, unsteady } = explorer
  const { blamed, conflicts, domains, initial } = inference
  if (ledger.unusable !== undefined) {
    const needs = `a ledger that can be read: ${ledger.unusable}`
    return inferable.map((key) => consistent(key, needs, shownValues(key, initial.get(key) ?? [])))
  }
  const failures = failuresOf(inference)
  // What nothing that was given up explains withdraws everything that it depends on.
  const others = failures.filter(({ keys }) => ![...keys].some((key) => blamed.has(key)))
  const withdrawn = new Set([...blamed, ...others.flatMap(({ keys }) => [...keys])])
  return inferable.map((key): Finding => {
    const requests = conflicts.flatMap(({ nogood, observation: one }) =>
      one && nogood.has(key) ? [described(one.request, one.place)] : [],
    )
    const evidence = [...new Set(requests)].slice(0, maxEvidence)
    if (withdrawn.has(key) || unsteady.length > 0) {
      const failing = failures.flatMap(({ observation, keys }) => (keys.has(key) ? [observation] : []))
      const places = [...new Set([...failing, ...unsteady].map(({ place }) => place))]
      const value = nearestOf(key, explorer)
      return { key, verdict: 'unexplained', value, candidates: [], unexplained: places, evidence }
    }
    const values = domains.get(key) ?? []
    const [value = null] = values
    const candidates = shownValues(key, values)
    const isOne = values.length === 1 && isExact(key, value, initial)
    const needs = isOne ? needsOfOne(key, value, explorer, failures) : needsOfSeveral(candidates)
    if (needs === undefined) return { key, verdict: 'decided', value, candidates, evidence }
    return { key, verdict: isCutShort && values.length > 1 ? 'open' : 'consistent', candidates, needs, evidence }
  })
}

/** Numbers that stand for a range are not shown as if they were the only ones. */
const shownValues = (key: AssumptionKey, values: readonly Value[]): readonly Value[] =>
  leastOf(key) === undefined || values.length === 1
    ? values
    : values.filter((value) => value === null || value === assume()[key])
