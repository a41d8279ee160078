import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Explorer } from '../explore.ts'
import { formsOf } from '../ask/texts.ts'
import { partOf, parts, type Aspect } from '../infer/aspects.ts'
import { obstaclesTo, type Failure } from '../infer/confirm.ts'
import { aboutOf, dependencesOf, type Asked } from '../infer/conflict.ts'
import { inferable, leastOf, type Solution, type Value } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import { isKind, kindsOf, nameOf, type Subject } from '../infer/kinds.ts'
import { failingIn } from '../infer/observation.ts'
import { needsOfTextOrder } from '../infer/text-order.ts'

/** What is unexplained, and stands in the way of a value. */
const blockedBy = (subjects: readonly Subject[]): string => {
  const names = [...new Set(subjects.map(nameOf))].slice(0, 2)
  return `It cannot be decided while ${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} unexplained.`
}

/** The failures that cast doubt on a value: responses to requests that are about it, and others that depend on it. */
const doubtsAbout = (key: AssumptionKey, failures: readonly Failure[], inference: Inference): Failure[] => {
  const isOf = ({ about, keys, observation }: Failure) =>
    about.includes(key) || (keys.has(key) && obstaclesTo(key, inference, [observation.request.endpoint])?.length !== 0)
  // What is the same in requests without parameters has another cause.
  const isCommon = ({ aspect, observation, excuses }: Failure) =>
    failures.some(
      (other) =>
        other.about.length === 0 &&
        other.aspect === aspect &&
        other.observation.request.endpoint === observation.request.endpoint &&
        other.excuses.some((one) => excuses.includes(one)),
    )
  // Where another value of what is unexplained gives the response, nothing else has to be behind it.
  const isExplained = ({ observation, aspect, excuses }: Failure) =>
    excuses.some((excuse) =>
      (isKind(excuse) ? [] : (inference.initial.get(excuse) ?? [])).some((value) => {
        const solution = { ...inference.reference, [excuse]: value }
        const part = partOf(aspect)
        const [copy] = observation.copies
        return (
          copy?.shown(observation.request, solution, part).includes(aspect) &&
          failingIn(observation, part, solution, [aspect, 'status']).length === 0
        )
      }),
    )
  return failures.filter((one) => isOf(one) && !isCommon(one) && !isExplained(one))
}

/** What is missing to prove the only value that is left: a behaviour that is no value may look the same. */
export const needsOfOne = (
  key: AssumptionKey,
  value: Value,
  explorer: Explorer,
  failures: readonly Failure[],
): string | undefined => {
  const { ledger, inference, order } = explorer
  if (ledger.entries.length === 0) return 'The ledger has no transactions.'
  const isOrder = key === 'tieOrder' || key === 'groupOrder'
  if (isOrder && value === 'ledger' && ((key === 'groupOrder' && ledger.window) || !order.followsTime[key]()))
    return 'A ledger whose order of entry shows in createdAt would show it: another fixed order looks the same.'
  const isBound = key === 'startDateBound' || key === 'endDateBound'
  const bounds = [inference.domains.get('startDateBound'), inference.domains.get('endDateBound')].join()
  if (isBound && (ledger.copy.hidesDigits || bounds === 'inclusive,exclusive'))
    return 'A service that stores more digits of createdAt than it shows would respond the same.'
  if (value !== 'ledger') {
    const obstacles = obstaclesTo(key, inference)
    if (!obstacles) return 'No response shows it: the other values were only ruled out.'
    if (obstacles.length > 0) return blockedBy(obstacles)
  }
  const doubts = doubtsAbout(key, failures, inference).filter(({ excuses }) => !excuses.some(isKind))
  if (doubts.length > 0)
    return blockedBy(
      doubts.flatMap(({ excuses, aspect }) => (excuses.length > 0 ? excuses : (`input: ${aspect}` as const))),
    )
  const words = () => new Map(formsOf(ledger.entries.map(({ source }) => source))).get('word')
  if (key === 'sourceMatch' && (value === 'exact' || value === 'case-insensitive') && words()?.length === 0)
    return 'A source of several words would show it: a match of whole words looks the same.'
  const isOneEach = new Set(ledger.entries.map(({ platformId }) => platformId)).size === ledger.entries.length
  if (isOneEach && (key === 'pageUnit' || key === 'totalUnit')) return 'A user with two transactions would show it.'
  return key === 'nameOrder' || key === 'groupOrder' ? needsOfTextOrder(key, value, inference.observations) : undefined
}

/** The aspects in which a response tells solutions apart, whichever of them holds. */
const tellingIn = ({ request, copies }: Asked, solutions: readonly Solution[]) =>
  parts.flatMap((part) => {
    const failing = (truth: Solution, other: Solution): readonly Aspect[] =>
      copies.flatMap((copy) => {
        const observed = copy.predict(request, truth, part).expected
        return failingIn({ request, observed, copies: [copy] }, part, other)
      })
    const found = solutions.flatMap((one, i) =>
      solutions.slice(0, i).flatMap((other) => failing(one, other).filter((it) => failing(other, one).includes(it))),
    )
    return Array.from(new Set(found), (aspect) => ({ part, aspect }))
  })

/** What would tell the values that are left apart. */
export const needsOfSeveral = (
  key: AssumptionKey,
  values: readonly Value[],
  { inference, ledger, unsent }: Explorer,
  isCutShort: boolean,
): string => {
  const { observations, reference, initial, blamed, pool } = inference
  const isNumber = (one: AssumptionKey) => leastOf(one) !== undefined
  const limit = 'The limit of requests was reached: raise maxRequests.'
  const solutionsWith = (base: Solution) => values.map((value) => ({ ...base, [key]: value }))
  /** For each aspect in which a response tells the values apart: what is given up, and stands in the way. */
  const obstaclesIn = (one: Asked, base: Solution): Subject[][] =>
    tellingIn(one, solutionsWith(base)).map(({ part, aspect }) =>
      solutionsWith(base).flatMap((each) => [...dependencesOf(one, part, aspect, each, initial, blamed)]),
    )
  const others = inferable.filter((other) => other !== key && !isNumber(other))
  const bases = new Map([...pool, reference].map((base) => [others.map((other) => base[other]).join(), base]))
  const isMissed = ({ request }: Pick<Asked, 'request'>) => {
    const one = { request, copies: [ledger.copy], kinds: kindsOf(request) }
    return bases.values().some((base) => obstaclesIn(one, base).some((obstacles) => obstacles.length === 0))
  }
  if (isCutShort && !isNumber(key) && unsent.some(isMissed)) return limit
  const obstacles = observations.flatMap((one) => obstaclesIn(one, reference).flat())
  if (obstacles.length > 0) return blockedBy(obstacles)
  if (isCutShort && isNumber(key)) return limit
  for (const other of others) {
    const isTelling = (value: Value) =>
      observations.some((one) => tellingIn(one, solutionsWith({ ...reference, [other]: value })).length > 0)
    if (initial.get(other)?.some(isTelling))
      return blamed.has(other) ? blockedBy([other]) : `With ${other}=${String(reference[other])}, no response shows it.`
  }
  return `This ledger cannot tell ${isNumber(key) ? 'the numbers that are left' : values.slice(0, 5).join(' and ')} apart.`
}

/** The kinds of input to which a decided value does not extend. */
export const exceptionsTo = (key: AssumptionKey, failures: readonly Failure[]): string[] => {
  const own = failures.filter(({ about, aspect, observation }) =>
    [...about, ...aboutOf(aspect, observation)].includes(key),
  )
  return [...new Set(own.flatMap(({ excuses }) => excuses.filter(isKind).map(nameOf)))]
}
