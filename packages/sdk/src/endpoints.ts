import {
  guildQuery,
  guildReply,
  inWords,
  isObject,
  issuesOf,
  paths,
  platformId as platformIdSchema,
  userQuery,
  userReply,
  type GuildQuery,
  type GuildReply,
  type Issue,
  type RefusalCode,
  type UserGroup,
  type UserQuery,
  type UserReply,
} from './contract/index.ts'
import { InvalidParameterError } from './errors/index.ts'
import {
  checkedBy,
  madeBy,
  type CallOptions,
  type StandardSchema,
  type Query,
  type Read,
  type ResponseInfo,
  type Transport,
} from './transport/index.ts'

type Schema = Parameters<typeof issuesOf>[0]

const issueOf = (path: string, expected: string, value: unknown): Issue => ({
  path,
  expected,
  received: inWords(value),
})

/** What speaks against a query before its parameters are looked at. */
const issuesOfForm = (query: unknown): Issue[] =>
  isObject(query) ? [] : [issueOf('query', 'an object with parameters', query)]

/** Throws where there are issues, before anything is sent. */
const refuseFor = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw new InvalidParameterError(issues)
}

/** A reply body with how it came about, which is not part of the body: it is neither enumerable nor serialised. */
export type Page<Reply> = Reply & {
  /** How it came about. */
  readonly response: ResponseInfo
}

/** One of the two documented operations, bound to a transport: what walks and the client are made of. */
export interface Operation<Q extends Query, Reply> {
  /** Asks for one page. */
  readonly list: (query: Q, options?: CallOptions) => Promise<Page<Reply>>
  /** Throws an `InvalidParameterError` where the query breaks the contract. */
  readonly check: (query: Q) => void
  /** The transactions of a page, by user. */
  readonly groups: (page: Reply) => readonly UserGroup[]
  /** The refusal that means "nothing found". */
  readonly emptyCode: RefusalCode
  /** Whether it takes a `startDate`. */
  readonly takesDates: boolean
  readonly path: string
}

interface Facts<Reply> {
  readonly path: string
  readonly query: Schema
  readonly read: Read<Page<Reply>>
  readonly groups: (page: Reply) => readonly UserGroup[]
  readonly emptyCode: RefusalCode
  readonly takesDates: boolean
}

const operation = <Q extends Query, Reply>(transport: Transport, facts: Facts<Reply>): Operation<Q, Reply> => {
  const { path, read, groups, emptyCode, takesDates } = facts
  const checkQuery = (query: Q) => {
    refuseFor(issuesOfForm(query))
    refuseFor(issuesOf(facts.query, query))
  }
  return {
    list: async (given, options) => {
      const query = isObject(given) ? { ...given } : given // read once: what is checked is what is sent
      checkQuery(query)
      return transport.page(path, query, read, options)
    },
    check: checkQuery,
    groups,
    emptyCode,
    takesDates,
    path,
  }
}

const readGuildReply = checkedBy<Page<GuildReply>>(guildReply)
const readUserReply = checkedBy<Page<UserReply>>(userReply)

/** All transactions of the guild, grouped by user. Spec: Endpoints, 1. */
export const guildTransactions = (transport: Transport): Operation<GuildQuery, GuildReply> =>
  operation(transport, {
    path: paths.guild,
    query: guildQuery,
    read: readGuildReply,
    groups: (page: GuildReply) => page.data,
    emptyCode: 'no_guild_transactions',
    takesDates: true,
  })

/** The transactions of one user. Spec: Endpoints, 2. */
export const userTransactions = (transport: Transport, platformId: string): Operation<UserQuery, UserReply> => {
  refuseFor(issuesOf(platformIdSchema, platformId).map((issue) => ({ ...issue, path: 'platformId' })))
  return operation(transport, {
    path: paths.user.replace('{platformId}', () => encodeURIComponent(platformId)),
    query: userQuery,
    read: readUserReply,
    groups: (page: UserReply) => [page.data],
    emptyCode: 'no_user_transactions',
    takesDates: false,
  })
}

const pathAllowed =
  'an absolute path such as /guild/discharges, without dot segments, query, fragment or control characters'
const isPlainPath = (path: unknown) =>
  typeof path === 'string' &&
  /^\/(?!\/)[^?#\\\s\p{Cc}\p{Surrogate}]*$/u.test(path) &&
  !path.split(/\/|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))

const isParameter = (value: unknown): boolean =>
  value === undefined ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) ||
  (value instanceof Date && !Number.isNaN(value.getTime()))

const parameterAllowed = 'text, a finite number, true, false or a valid Date'
const issuesOfParameters = (query: Query): Issue[] =>
  Object.entries(query)
    .filter(([name, value]) => !isParameter(name) || !isParameter(value))
    .map(([name, value]) => issueOf(name, parameterAllowed, value))

/** A path the document names but does not describe. Spec: Endpoints, Other paths. */
export const otherPath = <Output>(
  transport: Transport,
  path: string,
  query: Query,
  schema: StandardSchema<Output> | undefined,
  options: CallOptions,
): Promise<Output> => {
  refuseFor(isPlainPath(path) ? [] : [issueOf('path', pathAllowed, path)])
  refuseFor(issuesOfForm(query))
  refuseFor(issuesOfParameters(query))
  return transport.get(path, query, schema ? madeBy(schema) : (body) => ({ value: body as Output }), options)
}
