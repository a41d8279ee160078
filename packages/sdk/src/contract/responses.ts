import * as z from 'zod/mini'
import { count, number, oneOf, string } from './schemas.ts'
import { transaction, type Transaction } from './transaction.ts'

const success = oneOf([true], 'true')

export const pagination = z.object({ page: count, limit: count, total: count, totalPages: count }, 'an object')
/** Position of a page in the result. Spec: Resources, Pagination object. */
export interface Pagination {
  /** Number of the page, counted from 1. Unspecified: the largest page number. */
  page: number
  /** Page size used, 1 to 100. Unspecified: on list-all, whether transactions or user groups are counted. */
  limit: number
  /** Number of matching items. Unspecified: on list-all, whether transactions or user groups are counted. */
  total: number
  /** Number of pages. Unspecified: its value when nothing matches. */
  totalPages: number
}

export const summary = z.object({ totalTransactions: count, totalValue: number, uniqueUsers: count }, 'an object')
/**
 * Totals of a list-all result. Spec: Resources, Summary object. Unspecified: whether they cover the whole guild, all matching
 * transactions, or the page.
 */
export interface Summary {
  /** Number of transactions. */
  totalTransactions: number
  /** Value of the transactions. Unspecified: which field is summed; unit or currency. */
  totalValue: number
  /** Number of different users. */
  uniqueUsers: number
}

const transactions = z.array(transaction, 'an array of transactions')

export const userGroup = z.object({ platformId: string, transactions }, 'an object')
/** The transactions of one user on a page. Spec: Resources, User group. */
export interface UserGroup {
  /** Identifier of the user on the game platform. Unspecified: its format. */
  platformId: string
  /** The user's transactions on this page. Unspecified: the order of ties. */
  transactions: Transaction[]
}

const userGroups = z.array(userGroup, 'an array of user groups')

export const guildResponse = z.object({ success, data: userGroups, pagination, summary }, 'an object')
/** Body of a success response of list-all: a page of transactions, grouped by user. Spec: Endpoints, 1. */
export interface GuildResponse {
  /** Always true in a success response. Spec: Endpoints. */
  success: true
  /** One group for each user on this page. Unspecified: the order of the groups. */
  data: UserGroup[]
  /** Position of the page in the result. */
  pagination: Pagination
  /** Totals of the result. */
  summary: Summary
}

export const userResponse = z.object({ success, data: userGroup, pagination }, 'an object')
/** Body of a success response for one user. It has no summary. Spec: Endpoints, 2. */
export interface UserResponse {
  /** Always true in a success response. Spec: Endpoints. */
  success: true
  /** The user and their transactions on this page. */
  data: UserGroup
  /** Position of the page in the result. */
  pagination: Pagination
}

export const errorBody = z.object({ success: oneOf([false], 'false'), message: string }, 'an object')
/** Body of every error response. Spec: Resources, Error body. */
export interface ErrorBody {
  /** Always false in an error response. */
  success: false
  /** What went wrong, in the service's own words. Unspecified: the messages of errors that are not listed. */
  message: string
}
