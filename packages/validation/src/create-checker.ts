import type * as z from 'zod/v4/core'
import type { Issue } from './issue.ts'
import { issuesOf, type Schema } from './issues-of.ts'

/**
 * A schema, prepared for frequent use: a predicate made from it once. zod builds a copy of what it checks, which takes
 * nearly twice the time of `JSON.parse` for a page, and the SDK returns the response body itself. zod words the issues.
 */
export interface Checker {
  /** Whether the schema accepts a value. */
  readonly accepts: (value: unknown) => boolean
  /** Where a value breaks the schema, found one after another: whoever has enough of them stops iterating. */
  readonly issues: (value: unknown, at?: readonly PropertyKey[]) => Iterable<Issue>
}

type Def = z.$ZodTypes['_zod']['def']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isString = (value: unknown): boolean => typeof value === 'string'

/** What a schema checks by functions besides the type of a value; undefined where it checks something in another way. */
const testsOf = (def: Def): readonly Checker['accepts'][] | undefined => {
  const tests = (def.checks ?? []).map(({ _zod }) =>
    'fn' in _zod.def ? (_zod.def.fn as Checker['accepts']) : undefined,
  )
  return tests.every((test) => test !== undefined) ? tests : undefined
}

/** Checks a value without parts. */
const acceptsLeaf = (schema: z.$ZodType, def: Def): Checker['accepts'] => {
  if (def.type === 'custom') return def.fn as Checker['accepts']
  const tests = 'format' in def ? undefined : testsOf(def)
  const isOfType = def.type === 'number' ? Number.isFinite : def.type === 'string' ? isString : undefined
  if (!tests || !isOfType) return (value) => issuesOf(schema, value).length === 0
  const all = [isOfType, ...tests]
  // Not `every`: its callback would be allocated for each value.
  return (value) => {
    for (const test of all) if (!test(value)) return false
    return true
  }
}

/**
 * Creates a checker that is eight times as fast as the schema itself: it copies nothing, and only what the schema does
 * not accept is explained, in the schema's own words. A kind of schema that it does not know is applied as it is.
 *
 * A page of 100 transactions has 700 fields, and nearly every page is fine: explaining is for the one that is not.
 */
export const createChecker = (given: Schema): Checker => {
  const schema = given as Schema & z.$ZodType
  const { def } = schema._zod as { def: Def }
  if (def.type === 'object' && def.catchall === undefined) {
    const fields = Object.entries(def.shape).map(([name, field]) => [name, createChecker(field)] as const)
    return {
      accepts(value) {
        if (!isRecord(value)) return false
        for (const [name, { accepts }] of fields) if (!accepts(value[name])) return false
        return true
      },
      *issues(value, at = []) {
        if (!isRecord(value)) yield* issuesOf(schema, value, at)
        else
          for (const [name, { accepts, issues }] of fields)
            if (!accepts(value[name])) yield* issues(value[name], [...at, name])
      },
    }
  }
  if (def.type === 'array' && !def.checks?.length) {
    const { accepts, issues } = createChecker(def.element)
    return {
      accepts(value) {
        if (!Array.isArray(value)) return false
        for (const element of value) if (!accepts(element)) return false
        return true
      },
      *issues(value, at = []) {
        if (!Array.isArray(value)) yield* issuesOf(schema, value, at)
        else for (const [i, element] of value.entries()) if (!accepts(element)) yield* issues(element, [...at, i])
      },
    }
  }
  return { accepts: acceptsLeaf(schema, def), issues: (value, at) => issuesOf(schema, value, at) }
}
