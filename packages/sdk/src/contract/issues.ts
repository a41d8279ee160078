import * as z from 'zod/mini'
import { nearest } from './nearest.ts'

/** One place where a value breaks the contract. */
export interface Issue {
  /** Where, such as `data[3].transactions[0].amount`; empty for the value as a whole. */
  readonly path: string
  /** What the contract takes there, in words. */
  readonly expected: string
  /** What stood there instead, in words, shortened. */
  readonly received: string
}

/** An issue as a sentence: "page must be a whole number of at least 1; got 0". */
export const sentence = ({ path, expected, received }: Issue): string => `${path} must be ${expected}; got ${received}`

/** Names a value in a few words: text in quotes and cut at 60 characters, lists and objects by their size. */
export const inWords = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'an invalid Date' : `the date ${value.toISOString()}`
  if (typeof value === 'object' && value !== null) return `an object with ${Object.keys(value).length} fields`
  return value === null || typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}

/** The issue of a name that is not among those known. The value is not shown: it may be a key under a wrong name. */
export const strange = (path: string, name: string, known: readonly string[]): Issue => {
  const meant = nearest(name, known)
  const help = meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`
  return { path, expected: `left out, as no such name is known (${help})`, received: 'a value' }
}

/** Whether a value is an object with fields: no list, no map, no date. */
export const isObject = (value: unknown): value is object => Object.prototype.toString.call(value) === '[object Object]'

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)

const written = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`)).join('')

/** Tells where `value` breaks `schema`; an empty list if it does not. `above` is where the value itself stands. */
export const issuesOf = (schema: z.core.$ZodType, value: unknown, above: readonly PropertyKey[] = []): Issue[] => {
  const result = z.safeParse(schema, value)
  if (result.success) return []
  return result.error.issues.flatMap((issue) => {
    const path = [...above, ...issue.path]
    if (issue.code !== 'unrecognized_keys') {
      return [{ path: written(path), expected: issue.message, received: inWords(at(value, issue.path)) }]
    }
    const known = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : []
    return issue.keys.map((key) => strange(written([...path, key]), key, known))
  })
}
