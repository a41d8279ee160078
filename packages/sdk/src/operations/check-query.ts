import { describeGiven, describeValue, isObject, issuesOf, type Issue } from '@guild-ledger/validation'
import { parameters, platformId as platformIdSchema, type StandardSchema } from '../contract/index.ts'
import { InvalidParameterError } from '../errors/index.ts'
import { expectedUser, whereItBelongs } from './misplaced.ts'

export const issueOf = (path: string, expected: string, value: unknown): Issue => ({
  path,
  expected,
  received: describeGiven(value),
})

/** @throws {InvalidParameterError} There are issues. */
export const throwIfAny = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw new InvalidParameterError(issues)
}

export const issuesOfForm = (query: unknown): Issue[] =>
  isObject(query) ? [] : [issueOf('query', 'an object with parameters', query)]

const issuesOfUser = (platformId: unknown): Issue[] => {
  const expected = expectedUser(platformId)
  return expected === undefined ? [] : [issueOf('platformId', expected, platformId)]
}

const issuesOfSource = (source: unknown): Issue[] =>
  source === '' ? [{ path: 'from', expected: 'a source, or left out for all sources', received: '""' }] : []

const sizeOf = (value: unknown): number => (typeof value === 'number' ? value : new Date(value as string).getTime())

const ranges = Object.entries(parameters).flatMap(([name, { upTo, type }]) => (upTo ? [{ name, upTo, type }] : []))

/** Ranges whose lower bound is above the upper one. */
const issuesOfRanges = (query: Readonly<Record<string, unknown>>): Issue[] =>
  ranges.flatMap(({ name, upTo, type }) => {
    const [from, to] = [query[name], query[upTo]]
    if (from === undefined || to === undefined || sizeOf(from) <= sizeOf(to)) return []
    const atMost = type === 'date-time' ? 'no later than' : 'at most'
    return [{ path: name, expected: `${atMost} \`${upTo}\` (${describeValue(to)})`, received: describeValue(from) }]
  })

/** The parameters that were given, read once: what is checked is what is sent. */
export const givenOf = <Query extends object>(query: { readonly [Name in keyof Query]: Query[Name] | null }): Query =>
  (isObject(query) ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null)) : query) as Query

/** @throws {InvalidParameterError} The query violates the contract. */
export const checkQuery = (schema: StandardSchema, query: object, isOneUser: boolean): void => {
  throwIfAny(issuesOfForm(query))
  throwIfAny(issuesOf(schema, query, [], 'parameter', true).map((issue) => whereItBelongs(issue, isOneUser)))
  if ('platformId' in query) throwIfAny(issuesOfUser(query.platformId))
  if ('from' in query) throwIfAny(issuesOfSource(query.from))
  throwIfAny(issuesOfRanges(query as Readonly<Record<string, unknown>>))
}

/** @throws {InvalidParameterError} It is not the identifier of a user. */
export const checkUser = (platformId: string | undefined): void => {
  throwIfAny(issuesOf(platformIdSchema, platformId, ['platformId']))
  throwIfAny(issuesOfUser(platformId))
}
