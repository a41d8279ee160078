import type { AssumptionRow } from './row.ts'

const valuesOfParameters = 'Response to out-of-range or malformed query parameter values: not shown.'
const bounds = 'Whether the startDate and endDate bounds are inclusive: not shown.'
const userDefaults = 'Defaults of the parameters of the one-user endpoint: not shown.'

/** How a request is read, where the document does not say. Spec: Endpoints, Errors (Gaps), Limits. */
export const requestRows = {
  sourceMatch: {
    question: 'Matching rule of from: not shown.',
    readings: [
      ['exact', 'source equals from'],
      ['case-insensitive', 'source equals from but for upper and lower case'],
      ['contains', 'source has from in it'],
    ],
  },
  startDateBound: {
    question: bounds,
    readings: [
      ['inclusive', 'a transaction created at startDate is in'],
      ['exclusive', 'a transaction created at startDate is out'],
    ],
  },
  endDateBound: {
    question: bounds,
    readings: [
      ['inclusive', 'a transaction created at endDate is in'],
      ['exclusive', 'a transaction created at endDate is out'],
    ],
  },
  userLimit: {
    question: userDefaults,
    default: 20,
    min: 1,
    max: 100,
    orNull: false,
    meaning: 'page size of the one-user endpoint when the request names none',
  },
  userSortBy: {
    question: userDefaults,
    readings: [
      ['createdAt', 'sorted by createdAt when the request names no field'],
      ['amount', 'sorted by amount'],
      ['quantity', 'sorted by quantity'],
      ['total', 'sorted by total'],
    ],
  },
  userSortOrder: {
    question: userDefaults,
    readings: [
      ['desc', 'largest or latest first when the request names no direction'],
      ['asc', 'smallest or earliest first'],
    ],
  },
  invalidParameter: {
    question: valuesOfParameters,
    readings: [
      ['reject', '400 with a message that names the parameter'],
      ['clamp', 'the nearest allowed value; the default where there is none'],
      ['default', 'as if the parameter had not been given'],
    ],
  },
  invertedRange: {
    question: valuesOfParameters,
    readings: [
      ['empty', 'a minimum above the maximum, or a start after the end, matches nothing'],
      ['reject', '400 with a message that names both parameters'],
    ],
  },
  unlistedParameter: {
    question: 'Response to a parameter that the endpoint does not list: not shown.',
    readings: [
      ['ignore', 'as if it had not been given'],
      ['reject', '400 with a message that names it'],
    ],
  },
  repeatedParameter: {
    question: 'Response to a parameter that is given more than once: not shown.',
    readings: [
      ['first', 'the first value counts'],
      ['last', 'the last value counts'],
      ['reject', '400 with a message that names it'],
    ],
  },
  maxPage: {
    question: 'Maximum page number: not shown.',
    default: null,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    orNull: true,
    meaning: 'largest page; one above it is treated as invalidParameter says',
  },
} as const satisfies Record<string, AssumptionRow>
