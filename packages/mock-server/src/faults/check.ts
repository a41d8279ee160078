import { inWords } from '@guild-ledger/sdk/contract'
import { suggestion } from '../assumptions/index.ts'
import type { Fault, FaultKind } from './fault.ts'

/** What a field takes, in words and as a test. */
type Field = readonly [allowed: string, fits: (value: unknown) => boolean]

const within = (value: unknown, least: number, most: number) => Number(value) >= least && Number(value) <= most
const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Field => [
  `a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
  (value) => Number.isSafeInteger(value) && within(value, least, most),
]
const oneOf = (...values: readonly unknown[]): Field => [values.join(' or '), (value) => values.includes(value)]
const text: Field = ['text that is not empty', (value) => typeof value === 'string' && value !== '']
const anything: Field = ['anything', () => true]
const optional = ([allowed, fits]: Field): Field => [allowed, (value) => value === undefined || fits(value)]

// Timers cannot count further.
const longestMs = 2 ** 31 - 1

const aim: Readonly<Record<string, Field>> = {
  endpoint: optional(oneOf('guild', 'user')),
  platformId: optional(text),
  after: optional(whole(0)),
  times: optional(whole(1)),
  probability: optional(['a number from 0 to 1', (value) => typeof value === 'number' && within(value, 0, 1)]),
}

// A door writes these itself: one that lies makes clients wait for ever, not fail.
const framing = ['content-length', 'transfer-encoding', 'connection']

const isHeaders = (value: unknown): boolean => {
  try {
    const names = typeof value === 'object' ? [...new Headers(value as HeadersInit).keys()] : []
    return names.length > 0 && !names.some((name) => framing.includes(name))
  } catch {
    return false
  }
}

/** Statuses whose replies have no body. */
export const nullBody: ReadonlySet<number> = new Set([204, 205, 304])

const path = /^\w+(\.\w+|\[(\d+|\*)\])*$/

const fields: Readonly<Record<FaultKind, Readonly<Record<string, Field>>>> = {
  'internal-error': {},
  status: {
    status: whole(200, 599),
    message: optional(text),
    body: anything,
    headers: optional([`headers such as { 'retry-after': '5' } and none of ${framing.join(', ')}`, isHeaders]),
  },
  latency: { ms: whole(0, longestMs) },
  hang: {},
  reset: {},
  truncate: { bytes: optional(whole(0)) },
  'malformed-json': {},
  'wrong-content-type': { contentType: optional(text) },
  'html-502': {},
  'slow-body': { chunkBytes: optional(whole(1)), intervalMs: optional(whole(0, longestMs)) },
  schema: {
    field: ['a path such as data[0].platformId', (value) => typeof value === 'string' && path.test(value)],
    value: anything,
  },
  redirect: { location: optional(text), status: optional(oneOf(301, 302, 303, 307, 308)) },
}

/**
 * Passes if a failure is one.
 *
 * @throws {TypeError} Its kind is unknown, a field belongs to another kind, is missing or is wrong.
 */
export const check = (fault: Fault): void => {
  const { kind } = fault
  if (!Object.hasOwn(fields, kind)) {
    throw new TypeError(`kind must be one of ${Object.keys(fields).join(', ')}, not ${inWords(kind)}.`)
  }
  const allowed = { ...aim, ...fields[kind] }
  const given = { ...fault } as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => name !== 'kind' && !Object.hasOwn(allowed, name))
  if (unknown !== undefined) {
    const help = suggestion(unknown, Object.keys(allowed))
    throw new TypeError(`A failure of kind ${kind} has no field ${inWords(unknown)}: ${help}`)
  }
  for (const [name, [words, fits]] of Object.entries(allowed)) {
    if (!fits(given[name])) throw new TypeError(`${name} must be ${words}, not ${inWords(given[name])}.`)
  }
  if (fault.kind !== 'status' || !nullBody.has(fault.status)) return
  const extra = ['body', 'message'].find((name) => given[name] !== undefined)
  if (extra) throw new TypeError(`A reply with status ${fault.status} has no body to hold ${extra}: leave it out.`)
}
