import {
  assume,
  assumptionDefinitions,
  type AssumptionKey,
  type ModelRequest,
} from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { agreesIn, aspects } from '../infer/aspects.ts'
import type { EntryOrder } from '../infer/order.ts'
import { inferable, toAssumptions, type Solution, type Value } from '../infer/domains.ts'
import { targetOf } from '../read/service.ts'
import type { Finding } from '../types.ts'

const maxEvidence = 3

/** A request with pseudonyms in the place of identifiers, and without the words of the ledger. */
export const described = (request: ModelRequest, place: string): string => {
  const { endpoint, query = {} } = request
  const shown = Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const isData = name === 'platformId' || name === 'from' || /^(start|end)Date$|Amount$/.test(name)
      const isInvalid = /invalid/.test(place)
      return [name, isData && !isInvalid ? [value].flat().map(() => `{${place.replace(/^user /, '')}}`) : value]
    }),
  )
  const target = targetOf({ endpoint, platformId: 'platformId', query: shown })
  return decodeURIComponent(target.replace('/platformId/', '/{platformId}/').replaceAll('+', ' '))
}

/** Values that the data proves only in part: what is left is one value, but a behaviour that is no value looks the same. */
const lacking = (key: AssumptionKey, value: Value, explorer: Explorer, order: EntryOrder): string | undefined => {
  const { ledger, inference } = explorer
  const only = (other: AssumptionKey) => inference.domains.get(other)?.join()
  if (ledger.entries.length === 0) return 'a ledger with transactions'
  if (key === 'tieOrder' && value === 'ledger' && !order.tiesFollowTime)
    return 'a ledger whose order of entry shows in createdAt: another fixed order looks the same'
  if (key === 'groupOrder' && value === 'ledger' && (ledger.window !== undefined || !order.usersFollowTime))
    return 'a ledger whose order of entry shows in createdAt: another fixed order looks the same'
  const isBound = key === 'startDateBound' || key === 'endDateBound'
  if (isBound && only('startDateBound') === 'inclusive' && only('endDateBound') === 'exclusive')
    return 'createdAt with all digits: a service that stores more digits than it shows behaves the same'
  if (isBound && ledger.hidesDigits) return 'createdAt with milliseconds'
  const users = new Set(ledger.entries.map(({ platformId }) => platformId))
  const isOneEach = users.size === ledger.entries.length
  if (isOneEach && (key === 'pageUnit' || key === 'totalUnit')) return 'a user with two transactions'
  return undefined
}

/** The value of an assumption that explains most of the responses that depend on it. */
const nearestOf = (key: AssumptionKey, explorer: Explorer, reference: Solution): Value => {
  const { inference } = explorer
  const scores = inference.initial(key).map((value) => {
    const assumptions = toAssumptions(new Map([...reference, [key, value]]))
    const agreeing = inference.observations.map(({ request, observed, copies }) => {
      const expected = copies.at(-1)?.respond(request, assumptions)
      return expected ? aspects.filter((aspect) => agreesIn(aspect, expected, observed)).length : 0
    })
    return { value, score: agreeing.reduce((sum, one) => sum + one, 0) }
  })
  return scores.toSorted((a, b) => b.score - a.score)[0]?.value ?? null
}

/** What would tell the values that are left apart. */
const needsOf = (values: readonly Value[]): string =>
  `data or requests under which ${values.slice(0, 5).map(String).join(', ')} respond differently`

/** The verdict on each assumption that requests with one key can show. */
export const findingsOf = (explorer: Explorer, isCutShort: boolean): Finding[] => {
  const { inference, ledger } = explorer
  const [reference] = inference.pool
  const { order } = explorer
  const unsteady = new Set(explorer.unsteady.map(({ place }) => place))
  return inferable.map((key): Finding => {
    const all = inference.domains.get(key) ?? []
    const values = ledger.unusable === undefined ? all : inference.initial(key)
    const touching = inference.constraints.filter((one) => one.nogoods.some((nogood) => nogood.has(key)))
    const evidence = [
      ...new Set(touching.map(({ observation: { request, place } }) => described(request, place))),
    ].slice(0, maxEvidence)
    if (ledger.unusable !== undefined)
      return {
        key,
        verdict: 'consistent',
        candidates: shownValues(key, values),
        needs: `a ledger that can be read: ${ledger.unusable}`,
        evidence: [],
      }
    if (inference.blamed.has(key) || unsteady.size > 0) {
      const places = [...new Set([...inference.failing(key).map(({ place }) => place), ...unsteady])]
      const value = reference ? nearestOf(key, explorer, reference) : undefined
      return { key, verdict: 'unexplained', value, candidates: [], unexplained: places, evidence }
    }
    const [value = null] = values
    const isOne = values.length === 1 && inference.isExact(key, value)
    const needs = isOne ? lacking(key, value, explorer, order) : needsOf(shownValues(key, values))
    if (isOne && needs === undefined) return { key, verdict: 'decided', value, candidates: [value], evidence }
    return {
      key,
      verdict: isCutShort && !isOne ? 'open' : 'consistent',
      candidates: shownValues(key, values),
      needs,
      evidence,
    }
  })
}

/** Numbers that stand for a range are not shown as if they were the only ones. */
const shownValues = (key: AssumptionKey, values: readonly Value[]): readonly Value[] => {
  const isNumber = !('values' in assumptionDefinitions[key])
  return isNumber && values.length > 1 ? values.filter((value) => value === null || value === assume()[key]) : values
}
