import { check, integer, isObject, orNull, quoted } from '@guild-ledger/validation'
import { checkCanMatch, matchChecks, matches } from '../request-matcher.ts'
import { checkedFields, checkedValue } from '../type-error.ts'
import { countRequests, formatMatcher, formatRequests, sortedBy, type RequestMatcher } from './format-requests.ts'
import type { LoggedRequest } from './request-log.ts'

/** How many requests are expected: exactly so many, or a range with at least one end. */
export type RequestCount =
  | number
  | {
      /** The fewest. */
      readonly atLeast?: number
      /** The most. */
      readonly atMost?: number
    }

export interface ExpectedOf {
  /** Those that can match, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Requests with a key that leads to no guild: they are named in messages, as the key may be mistyped. */
  readonly withoutGuild?: () => readonly LoggedRequest[]
  /** Ids of all keys that a request can have been sent with. */
  readonly keyIds: readonly string[]
}

const status = orNull(integer(100, 599))
const path = quoted(
  check((value) => typeof value === 'string' && value.startsWith('/'), 'a path such as /guild/discharges'),
)
export const matcherChecks = { ...matchChecks, path, status } satisfies Record<keyof RequestMatcher, unknown>
const matcherNaming = { noun: 'field', label: 'matcher', expected: "an object such as { endpoint: 'guild' }" }
const rangeChecks = { atLeast: integer(0), atMost: integer(0) }
const countCheck = check(
  (value) => integer(0).accepts(value) || (isObject(value) && Object.keys(value).length > 0),
  'an integer ≥ 0, or a range such as { atLeast: 1, atMost: 3 }',
)

const matchersCheck = check(
  (value) => Array.isArray(value) && value.length > 0,
  "an array such as [{ endpoint: 'guild' }, { endpoint: 'user' }], with at least one matcher",
)

const rangeOf = (count: RequestCount): { readonly atLeast: number; readonly atMost: number } => {
  checkedValue(countCheck, 'count', count)
  if (typeof count === 'number') return { atLeast: count, atMost: count }
  const { atLeast = 0, atMost = Infinity } = checkedFields(rangeChecks, count, { noun: 'field', path: 'count' })
  if (atLeast === 0 && atMost === Infinity) {
    throw new TypeError('`count.atLeast` must be an integer ≥ 1 where there is no `count.atMost`, got 0')
  }
  if (atLeast > atMost) {
    throw new TypeError(`\`count.atLeast\` must not be above \`count.atMost\` (${atMost}), got ${atLeast}`)
  }
  return { atLeast, atMost }
}

const formatCount = (count: RequestCount): string => {
  if (typeof count === 'number') return countRequests(count)
  const { atLeast = 0, atMost = Infinity } = count
  if (atMost === Infinity) return `at least ${countRequests(atLeast)}`
  return atLeast === 0 ? `at most ${countRequests(atMost)}` : `${atLeast} to ${countRequests(atMost)}`
}

export const checkedMatcher = (matcher: RequestMatcher, keyIds: readonly string[]): RequestMatcher => {
  const checked = checkedFields(matcherChecks, matcher, matcherNaming)
  checkCanMatch(checked, keyIds)
  return checked
}

/** Whether a request is one of those that are meant. */
export const meets =
  ({ status: wanted, path: wantedPath, ...match }: RequestMatcher) =>
  (request: LoggedRequest): boolean =>
    (wantedPath === undefined ? request.endpoint !== null : wantedPath === request.path) &&
    (wanted === undefined || wanted === request.status) &&
    matches(match, request)

/** The fields of a matcher, and the parameters of its query, each alone. */
const partsOf = ({ query = {}, ...fields }: RequestMatcher): RequestMatcher[] => [
  ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
  ...Object.entries(query).map(([name, value]) => ({ query: { [name]: value } })),
]

/** Requests that differ from a matcher in fewer fields first; of those that differ in as many, the newest first. */
const nearestFirst = (requests: readonly LoggedRequest[], matcher: RequestMatcher): LoggedRequest[] => {
  const parts = partsOf(matcher).map(meets)
  const distanceOf = (request: LoggedRequest) => parts.filter((isMet) => !isMet(request)).length
  return requests.toReversed().toSorted((a, b) => distanceOf(a) - distanceOf(b))
}

const describeOthers = (others: readonly LoggedRequest[], matcher: RequestMatcher): string =>
  others.length > 0
    ? `${countRequests(others.length)} of another kind${sortedBy(others, 'nearest')}\n${formatRequests(nearestFirst(others, matcher))}`
    : 'no other requests'

/** What was expected and what there is instead; undefined where the expectation holds. */
export const mismatchOf = (
  { requests, withoutGuild = () => [], keyIds }: ExpectedOf,
  count: RequestCount,
  given: RequestMatcher,
): string | undefined => {
  const { atLeast, atMost } = rangeOf(count)
  const matcher = checkedMatcher(given, keyIds)
  const isMeant = meets(matcher)
  const found = requests.filter(isMeant)
  if (found.length >= atLeast && found.length <= atMost) return undefined
  const others = [...requests.filter((request) => !isMeant(request)), ...withoutGuild()]
  return [
    `expected ${formatCount(count)}${formatMatcher(matcher)}, got ${found.length}${found.length > 0 ? sortedBy(found, 'newest') : ''}`,
    ...(found.length > 0 ? [formatRequests(found.toReversed())] : []),
    describeOthers(others, matcher),
  ].join('\n')
}

export const expectRequests = (of: ExpectedOf, count: RequestCount, matcher: RequestMatcher = {}): void => {
  const mismatch = mismatchOf(of, count, matcher)
  if (mismatch !== undefined) throw new Error(mismatch)
}

export const expectRequestsInOrder = (of: ExpectedOf, given: readonly RequestMatcher[]): void => {
  checkedValue(matchersCheck, 'matchers', given)
  const matchers = given.map((matcher) => checkedMatcher(matcher, of.keyIds))
  let next = 0
  for (const [i, matcher] of matchers.entries()) {
    const at = of.requests.slice(next).findIndex(meets(matcher))
    if (at >= 0) {
      next += at + 1
      continue
    }
    const others = [...of.requests, ...(of.withoutGuild?.() ?? [])]
    const position = i === 0 ? '' : `, after ${countRequests(i, 'earlier one')}`
    throw new Error(
      `expected a request${formatMatcher(matcher)} at position ${i + 1} of ${matchers.length}${position}, got none\n${describeOthers(others, matcher)}`,
    )
  }
}
