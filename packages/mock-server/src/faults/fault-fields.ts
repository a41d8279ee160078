import {
  check,
  describeRange,
  describeValue,
  hinted,
  integer,
  isObject,
  longestTimerMs,
  nonEmptyString,
  number,
  oneOf,
  quoted,
  type Check,
  type Checks,
} from '@guild-ledger/validation'
import { timeOf } from '../date-time.ts'
import { matchChecks } from '../request-matcher.ts'

const matching = (expected: string, pattern: RegExp): Check =>
  check((value) => typeof value === 'string' && pattern.test(value), expected)

// No server of Node would send a header with other characters.
const headerCharacters = /^[\t\x20-\x7e\x80-\xff]+$/
const header = matching('a string that a header can carry', headerCharacters)

const probability = check((value) => value !== 0 && number(0, 1).accepts(value), 'a number above 0, up to 1')

const isJsonValue = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}
const json = check(isJsonValue, 'a value that JSON can hold')

const isDelay = (value: unknown) => integer(0, longestTimerMs).accepts(value)
const isDistribution = (value: unknown): boolean => {
  if (!isObject(value) || Object.keys(value).length !== 2) return false
  const { median, p99 } = value as { median?: unknown; p99?: unknown }
  return integer(1, longestTimerMs).accepts(median) && isDelay(p99) && Number(p99) >= Number(median)
}

const wrongDistribution = (value: unknown): string | undefined => {
  if (!isObject(value)) return undefined
  const { median, p99, ...others } = value as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `it has the unknown field \`${unknown}\``
  const wrong = Object.entries({ median, p99 }).find(([, one]) => !integer(1, longestTimerMs).accepts(one))
  if (wrong) return `\`${wrong[0]}\` must be an integer ≥ 1, got ${describeValue(wrong[1])}`
  return `\`p99\` must not be below \`median\` (${String(median)}), got ${String(p99)}`
}

const delay = hinted(
  check(
    (value) => isDelay(value) || isDistribution(value),
    `${describeRange('an integer', 0, longestTimerMs)}, or a distribution such as { median: 80, p99: 900 }`,
  ),
  wrongDistribution,
)

// Adapters write these themselves: a false one makes clients hang, not fail.
const framing = ['content-length', 'transfer-encoding', 'connection', 'trailer']

const areHeaders = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.values(value).some((one) => typeof one !== 'string')) return false
  try {
    const headers = [...new Headers(value as Record<string, string>)]
    return (
      headers.length > 0 &&
      headers.every(([name, one]) => !framing.includes(name) && (one === '' || headerCharacters.test(one)))
    )
  } catch {
    return false
  }
}

const headers = check(areHeaders, `headers such as { 'retry-after': '5' } and none of ${framing.join(', ')}`)

export const targetFields: Checks = {
  ...matchChecks,
  after: integer(0),
  times: integer(1),
  probability,
  until: quoted(check((value) => !Number.isNaN(timeOf(value)), "a date such as '2026-02-01T00:00:00Z'")),
}

export const fields = {
  status: integer(200, 599),
  redirectStatus: oneOf(301, 302, 303, 307, 308),
  text: nonEmptyString,
  header,
  headers,
  json,
  delay,
  atLeast: (minimum: number) => integer(minimum),
  path: matching('a path such as data[0].platformId', /^\w+(\.\w+|\[(\d+|\*)\])*$/),
} as const

export const stubFields = { status: fields.status, body: json, headers } as const satisfies Checks
