import { assumptionDefinitions, type AssumptionDefinition, type AssumptionKey } from '../../assumptions/index.ts'

/** A value that a variable can have. */
export type Value = string | number | boolean | null

/**
 * What the probe infers. Most variables are assumptions. Where a service may treat kinds of requests differently, each
 * kind is a variable of its own: the assumption is decided only if all kinds agree.
 */
const kinds: Partial<Record<AssumptionKey, readonly string[]>> = {
  invalidParameter: ['limitAbove', 'limitBelow', 'pageBelow', 'number', 'sortBy', 'date', 'amount', 'pageAbove'],
  invertedRange: ['amount', 'date'],
  unlistedParameter: ['guild', 'user'],
  repeatedParameter: ['limit', 'from'],
  notFoundWhen: ['match', 'page', 'unknown'],
  dateTimeForms: ['noOffset', 'date', 'offset', 'endDate'],
}

/** Assumptions that requests with one valid key can show. */
export const inferable = [
  'pageUnit',
  'totalUnit',
  'groupOrder',
  'nameOrder',
  'tieOrder',
  'notFoundWhen',
  'emptyTotalPages',
  'summaryScope',
  'totalValueOf',
  'createdAtFormat',
  'sourceMatch',
  'startDateBound',
  'endDateBound',
  'userLimit',
  'userSortBy',
  'userSortOrder',
  'invalidParameter',
  'invertedRange',
  'unlistedParameter',
  'repeatedParameter',
  'maxPage',
  'dateTimeForms',
] as const satisfies readonly AssumptionKey[]

/** An assumption that the probe can infer. */
export type Inferable = (typeof inferable)[number]

/**
 * Behaviours that no value of an assumption describes. They compete with the values: without them, a service that orders
 * users by descending id would pass for one that orders them by their first appearance.
 */
const foreign: Readonly<Record<string, readonly string[]>> = {
  groupOrder: [
    'id-descending',
    'id-numeric',
    'id-any-case',
    'last-transaction',
    'latest-first',
    'newest-first',
    'most-transactions',
  ],
  nameOrder: ['locale', 'locale-any-case', 'letters-first', 'code-unit-trimmed', 'case-last'],
  tieOrder: ['id-descending', 'id-as-sort-order', 'ledger-as-sort-order', 'newest-first'],
  sourceMatch: ['prefix', 'suffix', 'contains-any-case'],
  'notFoundWhen.match': ['other'],
  'notFoundWhen.page': ['other'],
  'notFoundWhen.unknown': ['empty', 'other'],
  'invalidParameter.limitAbove': ['other-error'],
  'invalidParameter.limitBelow': ['other-error'],
  'invalidParameter.pageBelow': ['other-error'],
  'invalidParameter.number': ['other-error'],
  'invalidParameter.sortBy': ['other-error'],
  'invalidParameter.date': ['other-error', 'no-match'],
  'invalidParameter.amount': ['other-error', 'no-match'],
  'invalidParameter.pageAbove': ['other-error'],
  'invertedRange.amount': ['swap', 'ignore', 'other-error'],
  'invertedRange.date': ['swap', 'ignore', 'other-error'],
  'unlistedParameter.guild': ['other-error'],
  'unlistedParameter.user': ['apply', 'other-error'],
  'repeatedParameter.limit': ['joined', 'largest', 'smallest', 'other-error'],
  'repeatedParameter.from': ['joined', 'any', 'other-error'],
  // 'other': taken for some other time, such as one in another zone.
  'dateTimeForms.noOffset': ['other-error', 'other'],
  'dateTimeForms.date': ['other-error', 'other'],
  'dateTimeForms.offset': ['invalid', 'offset-ignored', 'other-error', 'other'],
  // A date alone as the end, where it is accepted as the start.
  'dateTimeForms.endDate': ['end-of-day', 'invalid', 'other-error', 'other'],
}

/** What the kinds of an assumption can be, where that is less than its values. */
const valuesOfKind: Readonly<Record<string, readonly Value[]>> = {
  'notFoundWhen.match': ['404', '200'],
  'notFoundWhen.page': ['404', '200'],
  'notFoundWhen.unknown': ['404'],
  'dateTimeForms.noOffset': ['utc', 'invalid'],
  'dateTimeForms.date': ['utc', 'invalid'],
  'dateTimeForms.offset': ['utc'],
  'dateTimeForms.endDate': ['utc'],
  // 'finite': a number above 1 that is not known yet.
  maxPage: [null, 1, 'finite'],
}

/** What values of an assumption the values of its kinds stand for. */
export const meaningOfKind: Readonly<Record<string, Readonly<Record<string, readonly Value[]>>>> = {
  'notFoundWhen.match': { '404': ['no-match', 'empty-page'], '200': ['empty-ledger'] },
  'notFoundWhen.page': { '404': ['empty-page'], '200': ['no-match', 'empty-ledger'] },
  'notFoundWhen.unknown': { '404': ['no-match', 'empty-page', 'empty-ledger'] },
  'dateTimeForms.noOffset': { utc: ['no-offset', 'date'], invalid: ['offset'] },
  'dateTimeForms.date': { utc: ['date'], invalid: ['offset', 'no-offset'] },
  'dateTimeForms.offset': { utc: ['offset', 'no-offset', 'date'] },
  'dateTimeForms.endDate': { utc: ['offset', 'no-offset', 'date'] },
}

/** Values that this probe does not know: it takes a service that has one for foreign. */
const unknown: ReadonlySet<Value> = new Set([
  'contains-case-insensitive',
  'prefix',
  'like',
  'like-contains',
  'joined',
  'platform-id-descending',
  'microseconds',
])

const valuesOf = (key: AssumptionKey): Value[] => {
  const definition: AssumptionDefinition = assumptionDefinitions[key]
  if ('values' in definition)
    return definition.values.map(([value]) => value as Value).filter((value) => !unknown.has(value))
  return Array.from({ length: definition.max - definition.min + 1 }, (_, i) => definition.min + i)
}

/** The variables of an assumption. */
export const variablesOf = (key: AssumptionKey): string[] => kinds[key]?.map((kind) => `${key}.${kind}`) ?? [key]

/** The assumption of a variable. */
export const assumptionOf = (variable: string): Inferable => variable.split('.')[0] as Inferable

/** Whether a value is a behaviour that no value of the assumption describes. */
export const isForeign = (variable: string, value: Value): boolean =>
  foreign[variable]?.includes(String(value)) ?? false

/** Every value of every variable. */
export const createDomains = (): Map<string, readonly Value[]> =>
  new Map(
    inferable.flatMap((key) =>
      variablesOf(key).map((variable) => {
        const values = valuesOfKind[variable] ?? valuesOf(key)
        return [variable, [...values, ...(foreign[variable] ?? [])]] as const
      }),
    ),
  )

const allDomains = createDomains()

/** Every value that a variable can have before anything is known. */
export const valuesTried = (variable: string): readonly Value[] => allDomains.get(variable) ?? []
