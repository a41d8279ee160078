import { isQuery } from '../aim.ts'
import type { FaultKind } from './fault.ts'

/** What a field of a failure takes. */
export interface FaultField {
  /** In words that follow "must be". */
  readonly allowed: string
  /** As JSON Schema, for descriptions. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly fits: (value: unknown) => boolean
  readonly isOptional?: true
}

/** Fields by their name. */
export type FaultFields = Readonly<Record<string, FaultField>>

const within = (value: unknown, least: number, most: number) => Number(value) >= least && Number(value) <= most

const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): FaultField => ({
  allowed: `a whole number ${maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`,
  schema: { type: 'integer', minimum, maximum },
  fits: (value) => Number.isSafeInteger(value) && within(value, minimum, maximum),
})

const oneOf = (...values: readonly unknown[]): FaultField => ({
  allowed: values.join(' or '),
  schema: { enum: values },
  fits: (value) => values.includes(value),
})

const matching = (allowed: string, pattern: RegExp): FaultField => ({
  allowed,
  schema: { type: 'string', pattern: pattern.source },
  fits: (value) => typeof value === 'string' && pattern.test(value),
})

const text: FaultField = {
  allowed: 'text that is not empty',
  schema: { type: 'string', minLength: 1 },
  fits: (value) => typeof value === 'string' && value !== '',
}

// What else a header could hold, no server of Node would send.
const sendable = /^[\t\x20-\x7e\x80-\xff]+$/
const headerText = matching('text that a header can carry', sendable)

const query: FaultField = {
  allowed: "an object of texts and numbers such as { from: 'shop' }",
  schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  fits: isQuery,
}

const chance: FaultField = {
  allowed: 'a number from 0 to 1',
  schema: { type: 'number', minimum: 0, maximum: 1 },
  fits: (value) => typeof value === 'number' && within(value, 0, 1),
}

const canBeWritten = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}
const anything: FaultField = { allowed: 'something that JSON can hold', schema: {}, fits: canBeWritten }

// A door writes these itself: one that lies makes clients wait for ever, not fail.
const framing = ['content-length', 'transfer-encoding', 'connection']

const areHeaders = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.values(value).some((words) => typeof words !== 'string')) return false
  try {
    const given = [...new Headers(value as Record<string, string>)]
    return (
      given.length > 0 &&
      given.every(([name, words]) => !framing.includes(name) && (words === '' || sendable.test(words)))
    )
  } catch {
    return false
  }
}

const headers: FaultField = {
  allowed: `headers such as { 'retry-after': '5' } and none of ${framing.join(', ')}`,
  schema: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
  fits: areHeaders,
}

const optional = (field: FaultField): FaultField => ({
  ...field,
  fits: (value) => value === undefined || field.fits(value),
  isOptional: true,
})

// Timers cannot count further.
const longestMs = 2 ** 31 - 1

/** What says which requests a failure meets, whatever its kind. */
export const aimFields: FaultFields = {
  endpoint: optional(oneOf('guild', 'user')),
  platformId: optional(text),
  query: optional(query),
  keyId: optional(text),
  after: optional(whole(0)),
  times: optional(whole(1)),
  probability: optional(chance),
}

/** What each kind of failure takes besides. */
export const kindFields: Readonly<Record<FaultKind, FaultFields>> = {
  'internal-error': {},
  status: {
    status: whole(200, 599),
    message: optional(text),
    body: optional(anything),
    headers: optional(headers),
  },
  latency: { ms: whole(0, longestMs) },
  hang: {},
  reset: {},
  truncate: { bytes: optional(whole(0)) },
  'malformed-json': {},
  'wrong-content-type': { contentType: optional(headerText) },
  'html-502': {},
  'slow-body': { chunkBytes: optional(whole(1)), intervalMs: optional(whole(0, longestMs)) },
  schema: {
    field: matching('a path such as data[0].platformId', /^\w+(\.\w+|\[(\d+|\*)\])*$/),
    value: optional(anything),
  },
  redirect: { location: optional(headerText), status: optional(oneOf(301, 302, 303, 307, 308)) },
}
