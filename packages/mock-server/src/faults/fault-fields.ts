import { endpoints } from '@guild-ledger/sdk/contract'
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
} from '@guild-ledger/validation'
import { isoText, timeOf } from '../date-time.ts'
import { matchChecks } from '../request-matcher.ts'

/** What a field of a fault takes, for checking it and for describing it as JSON Schema. */
export interface FaultField extends Check {
  readonly schema: Readonly<Record<string, unknown>>
}

/** Fields by their name. */
export type FaultFields = Readonly<Record<string, FaultField>>

const integerField = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): FaultField => ({
  ...integer(minimum, maximum),
  schema: { type: 'integer', minimum, maximum },
})

const oneOfField = (...values: readonly unknown[]): FaultField => ({ ...oneOf(...values), schema: { enum: values } })

const matchingField = (expected: string, pattern: RegExp): FaultField => ({
  ...check((value) => typeof value === 'string' && pattern.test(value), expected),
  schema: { type: 'string', pattern: pattern.source },
})

const nonEmptyField: FaultField = { ...nonEmptyString, schema: { type: 'string', minLength: 1 } }

// No server of Node would send a header with other characters.
const headerCharacters = /^[\t\x20-\x7e\x80-\xff]+$/
const headerField = matchingField('a string that a header can carry', headerCharacters)

const probabilityField: FaultField = {
  ...check((value) => value !== 0 && number(0, 1).accepts(value), 'a number above 0, up to 1'),
  schema: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
}

const isJsonValue = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}
const jsonField: FaultField = { ...check(isJsonValue, 'a value that JSON can hold'), schema: {} }

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

const delaySchema = { type: 'integer', minimum: 0, maximum: longestTimerMs }
/** Milliseconds, or a distribution of them. */
const delayField: FaultField = {
  ...hinted(
    check(
      (value) => isDelay(value) || isDistribution(value),
      `${describeRange('an integer', 0, longestTimerMs)}, or a distribution such as { median: 80, p99: 900 }`,
    ),
    wrongDistribution,
  ),
  schema: {
    anyOf: [
      delaySchema,
      {
        type: 'object',
        required: ['median', 'p99'],
        properties: { median: { ...delaySchema, minimum: 1 }, p99: { ...delaySchema, minimum: 1 } },
        additionalProperties: false,
      },
    ],
  },
}

const untilField: FaultField = {
  ...quoted(check((value) => !Number.isNaN(timeOf(value)), "a date such as '2026-02-01T00:00:00Z'")),
  schema: { type: 'string', pattern: isoText.source },
}

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

const headersField: FaultField = {
  ...check(areHeaders, `headers such as { 'retry-after': '5' } and none of ${framing.join(', ')}`),
  schema: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
}

/** Fields that say which requests a fault meets, whatever its kind. */
export const matcherFields: FaultFields = {
  endpoint: { ...matchChecks.endpoint, schema: { enum: [...endpoints] } },
  platformId: { ...matchChecks.platformId, schema: nonEmptyField.schema },
  query: {
    ...matchChecks.query,
    schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  },
  keyId: { ...matchChecks.keyId, schema: nonEmptyField.schema },
  after: integerField(0),
  times: integerField(1),
  probability: probabilityField,
  until: untilField,
}

const pathPattern = /^\w+(\.\w+|\[(\d+|\*)\])*$/

/** What the fields of some kinds take. */
export const fields = {
  status: integerField(200, 599),
  redirectStatus: oneOfField(301, 302, 303, 307, 308),
  text: nonEmptyField,
  header: headerField,
  headers: headersField,
  json: jsonField,
  delay: delayField,
  atLeast: (minimum: number) => integerField(minimum),
  path: matchingField('a path such as data[0].platformId', pathPattern),
} as const

/** The fields of a stubbed response. */
export const stubFields = {
  status: fields.status,
  body: jsonField,
  headers: headersField,
} as const satisfies FaultFields
