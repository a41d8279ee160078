import type { AssumptionDefinition } from './definition.ts'

const valuesOfParameters = 'Response to out-of-range or malformed query parameter values: not shown.'
const bounds = 'Whether the startDate and endDate bounds are inclusive: not shown.'
const userDefaults = 'Defaults of the parameters of the one-user endpoint: not shown.'

/** How a request is interpreted, where the spec does not say. Spec: Endpoints, Errors (Gaps), Limits. */
export const requestAssumptions = {
  sourceMatch: {
    question: 'Matching rule of from: not shown.',
    remedy: 'Compare `source` yourself; to find other spellings too, leave out `from`.',
    values: [
      ['exact', 'source equals from'],
      ['case-insensitive', 'source equals from, ignoring case'],
      ['contains', 'source contains from'],
      ['contains-case-insensitive', 'source contains from, ignoring case'],
      ['prefix', 'source begins with from'],
      ['like', 'from is an SQL pattern: % is any string, _ any character; A–Z match in either case'],
      ['like-contains', 'source contains a match of such a pattern'],
    ],
  },
  startDateBound: {
    question: bounds,
    remedy: 'Request from one second earlier and compare `createdAt` yourself.',
    values: [
      ['inclusive', 'a transaction created at startDate is included'],
      ['exclusive', 'a transaction created at startDate is excluded'],
    ],
  },
  endDateBound: {
    question: bounds,
    remedy: 'Request until one second later and compare `createdAt` yourself.',
    values: [
      ['inclusive', 'a transaction created at endDate is included'],
      ['exclusive', 'a transaction created at endDate is excluded'],
    ],
  },
  dateTimeForms: {
    question: 'startDate and endDate are ISO 8601 date-times; whether their offset may be left out: not shown.',
    remedy: 'Send a date-time with `Z` or an offset: `toISOString()`, or `datetime.now(timezone.utc).isoformat()`.',
    values: [
      ['offset', 'a date-time with Z or an offset such as +01:00'],
      ['no-offset', 'also a date-time without an offset, which is then UTC'],
      ['date', 'also a date-time without an offset, and a date alone, which is the start of that day in UTC'],
    ],
  },
  userLimit: {
    question: userDefaults,
    remedy: 'Set `limit` on the one-user endpoint, or paginate with `iterate()`.',
    default: 20,
    min: 1,
    max: 100,
    orNull: false,
    tried: [1, 100],
    meaning: 'page size of the one-user endpoint when the request has no limit',
  },
  userSortBy: {
    question: userDefaults,
    remedy: 'Set `sortBy` on the one-user endpoint.',
    values: [
      ['createdAt', 'sorted by createdAt when the request has no sortBy'],
      ['amount', 'sorted by amount'],
      ['quantity', 'sorted by quantity'],
      ['total', 'sorted by total'],
    ],
  },
  userSortOrder: {
    question: userDefaults,
    remedy: 'Set `sortOrder` on the one-user endpoint.',
    values: [
      ['desc', 'largest or latest first when the request has no sortOrder'],
      ['asc', 'smallest or earliest first'],
    ],
  },
  invalidParameter: {
    question: valuesOfParameters,
    remedy: 'Check parameters before the request, as the SDK does; do not use the response to validate input.',
    values: [
      ['reject', '400 with a message that names the parameter'],
      ['clamp', 'a number becomes the nearest allowed one; any other value counts as not sent'],
      ['default', 'as if the parameter had not been sent'],
    ],
  },
  invalidParameterStatus: {
    question: valuesOfParameters,
    remedy: 'Treat 400 and 422 the same: the request is wrong, and a retry gets the same.',
    values: [
      [400, 'a request that is rejected for its parameters gets 400'],
      [422, 'it gets 422'],
    ],
  },
  invertedRange: {
    question: valuesOfParameters,
    remedy: 'Check that a minimum is not above its maximum, and a start not after its end, before the request.',
    values: [
      ['empty', 'a minimum above the maximum, or a start after the end, matches nothing'],
      ['reject', '400 with a message that names both parameters'],
    ],
  },
  unlistedParameter: {
    question: 'Response to a parameter that the endpoint does not list: not shown.',
    remedy: 'Send only the parameters that the endpoint lists.',
    values: [
      ['ignore', 'as if it had not been sent'],
      ['reject', '400 with a message that names it'],
    ],
  },
  repeatedParameter: {
    question: 'Response to a parameter that is sent more than once: not shown.',
    remedy: 'Send each parameter once.',
    values: [
      ['first', 'the first value counts'],
      ['last', 'the last value counts'],
      ['joined', 'the values count as one string, joined by commas'],
      ['reject', '400 with a message that names it'],
    ],
  },
  maxLimit: {
    question: 'limit (integer): page size used; whether it is always the one that was requested: not shown.',
    remedy: 'Read `pagination.limit` of the response, or paginate with `iterate()`.',
    default: 100,
    min: 1,
    max: 100,
    orNull: false,
    isUpperBound: true,
    tried: [50],
    meaning: 'largest page size; a larger `limit` counts as this one',
  },
  maxPage: {
    question: 'Maximum page number: not shown.',
    remedy: 'Split a long ledger with `startDate` and `endDate`; for one user, use `list` with `platformId`.',
    default: null,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    orNull: true,
    isUpperBound: true,
    tried: [1],
    meaning: 'largest page number; a higher one is handled as `invalidParameter` says',
  },
} as const satisfies Record<string, AssumptionDefinition>
