import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { parts, type Aspect, type Part } from './aspects.ts'
import { dependencesOf } from './conflict.ts'
import { isUpperBound, type Domains, type Solution } from './domains.ts'
import { isKind, isValid, type Subject, type Subjects } from './kinds.ts'
import { failingIn, type Observation } from './observation.ts'

/** An aspect of a response that a solution does not explain. */
export interface Failing {
  readonly observation: Observation
  readonly part: Part
  readonly aspect: Aspect
}

export const failingUnder = (observations: readonly Observation[], solution: Solution): Failing[] =>
  observations.flatMap((observation) =>
    parts.flatMap((part) => failingIn(observation, part, solution).map((aspect) => ({ observation, part, aspect }))),
  )

/** What a service does with input that the spec does not allow has the more rules of its own, so it counts less. */
const importanceOf = ({ kinds }: Observation): number => (isValid(kinds) ? 1 : 0.3)

/** What a solution does not explain of some responses. */
type FailingIn = (observations: readonly Observation[], solution: Solution) => readonly Failing[]

/** Responses count first, then their aspects. */
const weightOf = (observation: Observation, failing: readonly Failing[]): number =>
  failing.length === 0 ? 0 : importanceOf(observation) + failing.length / 1000

/** The assumptions that a response depends on. */
export const readsOf = ({ request, copies }: Observation, solution: Solution): ReadonlySet<AssumptionKey> =>
  new Set(copies.flatMap((copy) => parts.flatMap((part) => copy.readsOf(request, solution, part))))

/** A solution that explains at least as many responses, and more if one other value does. */
const improved = (
  start: Solution,
  observations: readonly Observation[],
  domains: Domains,
  failingOf: FailingIn,
): Solution => {
  let solution = start
  const costOf = (of: readonly Observation[], by: Solution, enough = Infinity) =>
    of.reduce((sum, one) => (sum < enough ? sum + weightOf(one, failingOf([one], by)) : sum), 0)
  const readsUnder = (by: Solution) => new Map(observations.map((one) => [one, readsOf(one, by)]))
  for (let isBetter = true; isBetter;) {
    isBetter = false
    let reads = readsUnder(solution)
    for (const [key, values] of domains) {
      const before = solution
      const affected = observations.filter((one) => reads.get(one)?.has(key))
      let least = costOf(affected, solution)
      for (const value of affected.length > 0 ? values : []) {
        const moved = { ...solution, [key]: value }
        const cost = value === solution[key] ? least : costOf(affected, moved, least)
        if (cost < least) [solution, least, isBetter] = [moved, cost, true]
      }
      if (solution !== before) reads = readsUnder(solution)
    }
  }
  return solution
}

/** How much is lost if something is given up: the aspects that depend on it, and a few for each further name. */
const costPerName = 40
const aspectsThatTell: Readonly<Record<Part, readonly Aspect[]>> = {
  data: ['status', 'items', 'groups', 'order'],
  pagination: ['page', 'limit', 'total', 'totalPages'],
  summary: ['totalTransactions', 'totalValue', 'uniqueUsers'],
}

const costOf = (
  subject: Subject,
  observations: readonly Observation[],
  solution: Solution,
  initial: Domains,
  known: Subjects,
): number => {
  const isOf = (one: Observation, part: Part) => (aspect: Aspect) =>
    dependencesOf(one, part, aspect, solution, initial, new Set([subject])).size > 0
  const lost = observations
    .filter(({ kinds }) => !isKind(subject) || kinds.includes(subject))
    .flatMap((one) => parts.flatMap((part) => aspectsThatTell[part].filter(isOf(one, part))))
  return costPerName + lost.length + (known.has(subject) ? 10_000 : 0)
}

/** More sets than these are not compared. */
const maxSteps = 20_000

/** The cheapest set with an element of each list. */
const cheapestCover = (lists: readonly Subjects[], costs: ReadonlyMap<Subject, number>): Subject[] => {
  let [best, least, steps]: [Subject[], number, number] = [[], Infinity, 0]
  const extend = (left: readonly Subjects[], chosen: Subject[], cost: number): void => {
    if (cost >= least || steps++ > maxSteps) return
    const [narrowest] = left.toSorted((a, b) => a.size - b.size)
    if (!narrowest) [best, least] = [chosen, cost]
    const options = [...(narrowest ?? [])].map((one) => {
      const rest = left.filter((list) => !list.has(one))
      return { one, rest, price: (costs.get(one) ?? 0) / (left.length - rest.length) }
    })
    for (const { one, rest } of options.toSorted((a, b) => a.price - b.price))
      extend(rest, [...chosen, one], cost + (costs.get(one) ?? 0))
  }
  extend(lists, [], 0)
  return best
}

/** What the responses show, if some have to be given up. */
export interface Diagnosis {
  /** The solution that explains most responses. */
  readonly solution: Solution
  /** What has to be given up for it: as little as possible. */
  readonly given: Subjects
}

/**
 * Explains contradictory responses: finds values that explain most of them, and the smallest named things on which all others
 * depend. A kind of input is one of them only if no value explains at least a quarter of the responses to it, and an upper
 * bound only if some value of it gives one of the responses, or nothing else explains them. `random` is given up anyway.
 */
export const diagnose = (
  observations: readonly Observation[],
  starts: readonly Solution[],
  { initial, domains, known, random }: { initial: Domains; domains: Domains; known: Subjects; random: Subjects },
): Diagnosis => {
  const failingOf: FailingIn = (of, by) =>
    failingUnder(of, by).filter(
      ({ observation, part, aspect }) =>
        random.size === 0 || dependencesOf(observation, part, aspect, by, initial, random).size === 0,
    )
  const found = starts.map((start) => {
    const solution = improved(start, observations, domains, failingOf)
    const failing = failingOf(observations, solution)
    const unexplained = new Set(failing.map(({ observation }) => observation))
    const cost = [...unexplained].reduce((sum, one) => sum + importanceOf(one), 0)
    return { solution, failing, unexplained, cost }
  })
  const [best] = found.toSorted((a, b) => a.cost - b.cost || a.failing.length - b.failing.length)
  const { solution, failing, unexplained } = best ?? { solution: {}, failing: [], unexplained: new Set() }
  const isPlausible = (subject: Subject): boolean => {
    const of = observations.filter(({ kinds }) => isKind(subject) && kinds.includes(subject))
    return of.filter((one) => unexplained.has(one)).length * 4 >= of.length
  }
  const unusual = /invalid|inverted|repeated|unlisted|other operation|dateTime/ // input, and the assumptions about it
  const all = failing.map((one) => {
    const { observation, part, aspect } = one
    const options = [...dependencesOf(observation, part, aspect, solution, initial)].filter(isPlausible)
    const isUnusual = observation.kinds.some((kind) => unusual.test(kind))
    return { one, place: `${observation.request.endpoint} ${aspect}`, options: new Set(options), isUnusual }
  })
  // A response to unusual input does not disprove what responses to ordinary input show.
  const ordinary = new Set(all.flatMap((it) => (it.isUnusual ? [] : [...it.options])))
  const isShown = (one: Subject) => !isKind(one) && !isUpperBound(one) && !unusual.test(one) && !ordinary.has(one)
  for (const { options } of all.filter((it) => it.isUnusual)) {
    const shown = [...options].filter(isShown)
    if (shown.length < options.size) for (const subject of shown) options.delete(subject)
  }
  const hopeless = new Set(all.flatMap(({ options, place }) => (options.size === 0 ? [place] : [])))
  const lists = new Map(
    all.flatMap(({ options, place }) =>
      hopeless.has(place) ? [] : [[[...options].toSorted().join(), options] as const],
    ),
  )
  const subjects = new Set([...lists.values()].flatMap((options) => [...options]))
  const costs = new Map([...subjects].map((one) => [one, costOf(one, observations, solution, initial, known)]))
  const chosen = cheapestCover([...lists.values()], costs)
  // Where a bound is too low, the service does with a number what it does with an invalid one: some value gives that.
  const isGivenBy = ({ observation, part, aspect }: Failing, bound: AssumptionKey): boolean =>
    !!initial.get(bound)?.some((value) => {
      const moved = { ...solution, [bound]: value }
      const statuses = failingIn(observation, 'data', moved, ['status'])
      return statuses.length + failingIn(observation, part, moved, [aspect]).length === 0
    })
  const given = chosen.map((subject) => {
    if (!isUpperBound(subject)) return subject
    const own = all.filter(({ options }) => chosen.every((one) => options.has(one) === (one === subject)))
    const others = subjects
      .difference(new Set(chosen))
      .values()
      .filter((one) => own.every(({ options }) => options.has(one)))
    if (own.some(({ one }) => isGivenBy(one, subject))) return subject
    return [...others].toSorted((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0))[0] ?? subject
  })
  const remaining = new Set(given)
  for (const one of given) {
    remaining.delete(one) // what took the place of a bound may cover this, too
    if (![...lists.values()].every((options) => !options.isDisjointFrom(remaining))) remaining.add(one)
  }
  return { solution, given: remaining.union(random) }
}
