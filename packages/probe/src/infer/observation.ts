import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, aspectsOf, parts, type Aspect, type Aspects, type Group, type Part } from './aspects.ts'
import type { Copy } from './copy.ts'
import type { Kind } from './kinds.ts'
import { leastOf, type Solution } from './domains.ts'

/** A response to a request, and the ledgers that it may be about: several if transactions were added meanwhile. */
export interface Observation {
  readonly request: ModelRequest
  readonly observed: Aspects
  readonly groups: readonly Group[]
  readonly copies: readonly Copy[]
  /** Where a request differs in kind from others. */
  readonly place: string
  /** The kinds of input that it has. */
  readonly kinds: readonly Kind[]
}

const integersIn = (value: unknown): number[] => [value].flat().map(Number).filter(Number.isSafeInteger)

/**
 * The numbers at which a response may tell larger values of an assumption from smaller ones: one below what was requested,
 * and what the response has instead.
 */
export const numbersIn = ({ request, observed }: Observation, key: AssumptionKey): number[] => {
  if (leastOf(key) === undefined) return []
  const { endpoint, query = {} } = request
  const name = key === 'maxPage' ? 'page' : 'limit'
  const requested = integersIn(query[name])
  if (key === 'userLimit' && (endpoint === 'guild' || requested.length > 0)) return []
  const others = integersIn(observed.of(name)).filter((number) => !requested.includes(number))
  return [...requested, ...others].map((number) => number - 1).concat(others)
}

/** The aspects of a part that a mock with these values does not explain. Where variants of a ledger differ, everything is explained. */
export const failingIn = (
  { request, observed, copies }: Pick<Observation, 'request' | 'observed' | 'copies'>,
  part: Part,
  solution: Solution,
  among: readonly Aspect[] = aspectsOf[part],
): readonly Aspect[] =>
  copies.reduce((failing, copy) => {
    const { expected } = copy.predict(request, solution, part)
    if (failing.length === 0) return failing
    const differing = failing.filter((aspect) => !agreesIn(aspect, expected, observed))
    return differing.length > 0 ? copy.shown(request, solution, part, differing) : differing
  }, among)

/** The aspects that leave nothing else of a response open. */
const whole: readonly Aspect[] = ['status', 'items', 'groups', 'order', ...aspectsOf.pagination, ...aspectsOf.summary]

/** Whether everything of a response is compared with what a mock with these values responds, the order of ties included. */
export const isWhole = ({ request, copies }: Pick<Observation, 'request' | 'copies'>, solution: Solution): boolean => {
  const [copy] = copies
  const shown = copy && copies.length === 1 ? parts.flatMap((part) => copy.shown(request, solution, part)) : []
  return whole.every((aspect) => shown.includes(aspect))
}
