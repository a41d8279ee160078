import { isObject } from '@guild-ledger/validation'
import {
  operations,
  type Endpoint,
  type GuildQuery,
  type GuildResponse,
  type LedgerEntry,
  type UserGroup,
  type UserQuery,
  type UserResponse,
} from '../contract/index.ts'
import type { ApiError } from '../errors/index.ts'
import { defineOperation, type ResponseProperty } from './operation.ts'
import { orderOf } from './order.ts'

/** One page of the guild's transactions, grouped by user: the response body. */
export interface GuildPage extends GuildResponse, ResponseProperty {}
/** One page of one user's transactions: the response body. */
export interface UserPage extends UserResponse, ResponseProperty {}

/** A field as a string that distinguishes it: anything may be in it without strict validation. */
const toText = (value: unknown): string =>
  typeof value === 'string' && value[0] !== '[' ? value : JSON.stringify([value])

/** What makes a transaction the same as another one. The length tells where the user ends. */
export const identityOf = (entry: Pick<LedgerEntry, 'platformId' | 'transactionId'>): string => {
  const user = toText(entry.platformId)
  return `${user.length}:${user}:${toText(entry.transactionId)}`
}

const isGroup = (group: unknown): group is UserGroup =>
  isObject(group) && 'transactions' in group && Array.isArray(group.transactions) && group.transactions.every(isObject)

/** The transactions of each user with the user; undefined if they are no such groups. */
export const entriesOf = (groups: unknown): readonly LedgerEntry[][] | undefined =>
  Array.isArray(groups) && groups.every(isGroup)
    ? groups.map(({ platformId, transactions }) => transactions.map((one) => ({ ...one, platformId })))
    : undefined

const nothingFound: ReadonlySet<string> = new Set(Object.values(operations).map((one) => one.nothingFound.code))

/** What transactions are, whatever operation lists them. */
export const transactionItems = {
  orderOf,
  identityOf,
  isNothingFound: ({ code }: ApiError) => nothingFound.has(code),
}

/** A row for each operation of the contract. */
export const clientOperations = {
  guild: defineOperation<GuildQuery, GuildPage, LedgerEntry>(operations.guild, {
    ...transactionItems,
    groupsOf: ({ data }) => entriesOf(data),
  }),
  user: defineOperation<UserQuery, UserPage, LedgerEntry>(operations.user, {
    ...transactionItems,
    groupsOf: ({ data }) => entriesOf([data]),
  }),
} as const satisfies Readonly<Record<Endpoint, object>>
