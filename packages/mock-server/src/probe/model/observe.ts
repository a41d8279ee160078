import { isObject } from '@guild-ledger/validation'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { roundSum, type Observation } from './aspects.ts'
import { keptFor } from './kept-results.ts'
import type { LedgerCopy } from './ledger-copy.ts'

/** A response as it came. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body, if it is JSON. */
  readonly body: unknown
}

/** What a response shows, compared with the copy of the ledger. */
export interface Observed {
  readonly observation: Observation
  /** The users of a list-all response in their order. */
  readonly users: readonly string[]
  /** Transactions as they came: each group is an array. */
  readonly groups: readonly (readonly LedgerEntry[])[]
  /** Whether it has transactions that the copy does not have. */
  readonly hasNew: boolean
}

/** A field of a parsed body, by the names on the path to it; `undefined` where there is none. */
export const fieldIn = (body: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? (value as Record<string, unknown>)[name] : undefined), body)

const formats: readonly (readonly [name: string, form: RegExp])[] = [
  ['milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['seconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/],
]

const formatOf = (entries: readonly LedgerEntry[]): string => {
  const found = new Set(
    entries.map(({ createdAt }) => formats.find(([, form]) => form.test(createdAt))?.[0] ?? 'another format'),
  )
  return found.size === 1 ? ([...found][0] ?? '') : 'several formats'
}

/** The transactions of a response in their groups, each with its user; `undefined` if it has none. */
export const groupsIn = (body: unknown): LedgerEntry[][] | undefined => {
  const data = fieldIn(body, 'data')
  const groups: unknown[] = Array.isArray(data) ? data : isObject(data) ? [data] : []
  if (!data) return undefined
  return groups.map((group) => {
    const transactions = fieldIn(group, 'transactions')
    const platformId = String(fieldIn(group, 'platformId'))
    return (Array.isArray(transactions) ? transactions : [])
      .filter(isObject)
      .map((one) => ({ ...(one as unknown as LedgerEntry), platformId }))
  })
}

const text = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value))

const compare = ({ status, body }: RawResponse, copy: LedgerCopy): Observed => {
  const groups = groupsIn(body)
  if (status !== 200 || !isObject(body) || !groups) {
    const observation = { status: status === 200 ? 'no page' : String(status) }
    return { observation, users: [], groups: [], hasNew: false }
  }
  const { data, pagination, summary } = body as Record<string, Record<string, unknown> | undefined>
  const entries = groups.flat()
  const indexOf = ({ transactionId }: LedgerEntry): number => copy.byId.get(transactionId)?.index ?? -1
  const users = groups.map((group) => group[0]?.platformId ?? '')
  const isGuild = Array.isArray(data)
  const sorted = isGuild
    ? groups.toSorted(([a], [b]) => ((a?.platformId ?? '') < (b?.platformId ?? '') ? -1 : 1))
    : groups
  const { totalTransactions, totalValue, uniqueUsers } = summary ?? {}
  return {
    observation: {
      status: '200',
      page: text(pagination?.['page']),
      limit: text(pagination?.['limit']),
      total: text(pagination?.['total']),
      totalPages: text(pagination?.['totalPages']),
      transactionCount: String(entries.length),
      transactions: entries
        .map(indexOf)
        .toSorted((a, b) => a - b)
        .join(),
      order: sorted.map((group) => group.map(indexOf).join()).join(';'),
      ...(isGuild && {
        groupCount: String(groups.length),
        groups: JSON.stringify(users),
        totalTransactions: text(totalTransactions),
        totalValue: typeof totalValue === 'number' ? roundSum(totalValue) : text(totalValue),
        uniqueUsers: text(uniqueUsers),
      }),
      ...(entries.length > 0 && { createdAtFormat: formatOf(entries) }),
    },
    users: isGuild ? users : [],
    groups,
    hasNew: entries.some((entry) => indexOf(entry) < 0),
  }
}

/** Takes a response apart. */
export const observe = (response: RawResponse, copy: LedgerCopy): Observed =>
  keptFor(response, [copy], () => compare(response, copy))
