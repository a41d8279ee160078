import { describeGiven, describeValue, isDateObject, isObject, issuesOf, type Issue } from '@guild-ledger/validation'
import {
  operations,
  parameters,
  platformId as platformIdSchema,
  type Endpoint,
  type GuildQuery,
  type GuildResponse,
  type StandardSchema,
  type UserGroup,
  type UserQuery,
  type UserResponse,
} from './contract/index.ts'
import { InvalidParameterError, type RequestDetails } from './errors/index.ts'
import { expectedUser, whereItBelongs } from './misplaced.ts'
import {
  checkedBy,
  madeBy,
  withResponse,
  type CallOptions,
  type QueryParameters,
  type Decoder,
  type ResponseInfo,
  type Target,
  type Transport,
} from './transport/index.ts'

const issueOf = (path: string, expected: string, value: unknown): Issue => ({
  path,
  expected,
  received: describeGiven(value),
})

const issuesOfForm = (query: unknown): Issue[] =>
  isObject(query) ? [] : [issueOf('query', 'an object with parameters', query)]

const issuesOfUser = (platformId: unknown): Issue[] => {
  const expected = expectedUser(platformId)
  return expected === undefined ? [] : [issueOf('platformId', expected, platformId)]
}

const sizeOf = (value: unknown): number => (typeof value === 'number' ? value : new Date(value as string).getTime())

/** The parameters that were given, read once: what is checked is what is sent. */
export const givenOf = <Query extends object>(query: { readonly [Name in keyof Query]: Query[Name] | null }): Query =>
  (isObject(query) ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null)) : query) as Query

const issuesOfSource = (source: unknown): Issue[] =>
  source === '' ? [{ path: 'from', expected: 'a source, or left out for all sources', received: '""' }] : []

/** Ranges whose lower bound is above the upper one. */
const issuesOfRanges = (query: Readonly<Record<string, unknown>>): Issue[] =>
  Object.entries(parameters).flatMap(([name, { upTo, type }]) => {
    const [from, to] = [query[name], upTo && query[upTo]]
    if (from === undefined || to === undefined || sizeOf(from) <= sizeOf(to)) return []
    const atMost = type === 'date-time' ? 'no later than' : 'at most'
    return [{ path: name, expected: `${atMost} \`${upTo}\` (${describeValue(to)})`, received: describeValue(from) }]
  })

const throwIfAny = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw new InvalidParameterError(issues)
}

/** What a page has besides the fields of the response body. It is neither enumerable nor serialised. */
export interface ResponseProperty {
  /**
   * The response behind the page. A field of this name in the body comes first: `responseOf(page)` always works. A copy
   * such as `{ ...page }` has none, although its type says so.
   */
  readonly response: ResponseInfo
}

/** One page of the guild's transactions, grouped by user: the response body. */
export interface GuildPage extends GuildResponse, ResponseProperty {}
/** One page of one user's transactions: the response body. */
export interface UserPage extends UserResponse, ResponseProperty {}

/** One of the two documented operations, bound to a transport: what paginators and the client use. */
export interface Operation<Query extends object, Page> extends Target {
  readonly transport: Transport
  /** Requests a page, and resolves with what `use` makes of it: that fails as the request would, with its details. */
  readonly read: <R>(
    query: Query,
    options: CallOptions,
    use: (page: Page, details: () => RequestDetails, size?: number) => R,
  ) => Promise<R>
  /** @throws {InvalidParameterError} The query violates the contract. */
  readonly check: (query: Query) => void
  /** The transactions of a page, by user. */
  readonly groups: (page: Page) => readonly UserGroup[]
}

/** What the client makes of the responses of an operation. */
interface Definition<Page> extends Pick<Operation<never, Page>, 'groups'> {
  readonly decode: Decoder<Page>
}

const guild: Definition<GuildPage> = { decode: checkedBy(operations.guild.response), groups: ({ data }) => data }
const user: Definition<UserPage> = { decode: checkedBy(operations.user.response), groups: ({ data }) => [data] }

/** A row for each operation of the contract. */
const definitions = { guild, user } as const satisfies Readonly<Record<Endpoint, object>>

const operation = <Query extends object, Page>(
  transport: Transport,
  name: Endpoint,
  { decode, groups }: Definition<Page>,
  platformId = '',
): Operation<Query, Page> => {
  const { path: endpoint, query: schema } = operations[name]
  const path = endpoint.replace('{platformId}', () => encodeURIComponent(platformId))
  const isOneUser = path !== endpoint
  const check = (query: Query) => {
    throwIfAny(issuesOfForm(query))
    throwIfAny(issuesOf(schema, query, [], 'parameter', true).map((issue) => whereItBelongs(issue, isOneUser)))
    if ('platformId' in query) throwIfAny(issuesOfUser(query.platformId))
    if ('from' in query) throwIfAny(issuesOfSource(query.from))
    throwIfAny(issuesOfRanges(query as Readonly<Record<string, unknown>>))
  }
  const read: Operation<Query, Page>['read'] = (query, options, use) => {
    check(query)
    return transport.get(
      { path, endpoint },
      query as QueryParameters,
      decode,
      options,
      (page, response, details, size) => use(withResponse(page, response), details, size),
    )
  }
  return { path, endpoint, transport, groups, check, read }
}

/** All transactions of the guild, grouped by user. Spec: Endpoints, 1. */
export const guildTransactions = (transport: Transport): Operation<GuildQuery, GuildPage> =>
  operation(transport, 'guild', definitions.guild)

/** The transactions of one user. Spec: Endpoints, 2. */
export const userTransactions = (transport: Transport, platformId: string): Operation<UserQuery, UserPage> => {
  throwIfAny(issuesOf(platformIdSchema, platformId, ['platformId']))
  throwIfAny(issuesOfUser(platformId))
  return operation(transport, 'user', definitions.user, platformId)
}

const pathAllowed =
  'an absolute path such as /guild/discharges, without dot segments, query, fragment or control characters'
const isPlainPath = (path: unknown) =>
  typeof path === 'string' &&
  /^\/(?!\/)[^?#\\\s\p{Cc}\p{Surrogate}]*$/u.test(path) &&
  !path.split(/\/|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))

const isParameter = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) ||
  (isDateObject(value) && !Number.isNaN(value.getTime()))

const parameterAllowed = 'a string without lone surrogates, a finite number, true, false or a valid Date'
const issuesOfParameters = (query: QueryParameters): Issue[] =>
  Object.entries(query)
    .filter(([name, value]) => !isParameter(name) || !isParameter(value))
    .map(([name, value]) => issueOf(name, parameterAllowed, value))

/** Requests a path that the spec names but does not describe. Spec: Endpoints, Other paths. */
export const customPath = <Output>(
  transport: Transport,
  path: string,
  query: QueryParameters,
  schema: StandardSchema<Output> | undefined,
  options: CallOptions,
): Promise<Output> => {
  throwIfAny(isPlainPath(path) ? [] : [issueOf('path', pathAllowed, path)])
  throwIfAny(issuesOfForm(query))
  throwIfAny(issuesOfParameters(query))
  const decode: Decoder<Output> = schema ? madeBy(schema) : (body) => ({ value: body as Output })
  return transport.get({ path, endpoint: path }, query, decode, options, (value) => value)
}
