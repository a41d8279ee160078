import type * as z from 'zod/v4/core'
import { describeGiven, describeType, describeValue } from './describe-value.ts'
import { formatPath, valueAt, type Issue } from './issue.ts'
import { formatUnknownName } from './unknown-name.ts'

/** A schema of zod, typed as any schema of the Standard Schema specification: zod stays out of public types. */
export interface Schema {
  readonly '~standard': unknown
}

/**
 * Where `value` breaks `schema`; an empty array if it does not. The message of each schema says what it expects.
 *
 * @param at Path of the value itself.
 * @param noun What an unknown name in a strict object is called.
 * @param isGiven Whether a caller passed the value: then a string where none is expected is not quoted.
 */
export const issuesOf = (
  given: Schema,
  value: unknown,
  at: readonly PropertyKey[] = [],
  noun = 'field',
  isGiven = false,
): Issue[] => {
  const { '~standard': standard, _zod: zod } = given as Schema & z.$ZodTypes
  // The same issues as from zod's safeParse, which would be one more part of zod in every bundle.
  const result = standard.validate(value)
  if (result instanceof Promise) {
    // zod answers so when a value has more issues, some 125,000, than an engine takes as arguments of one call.
    result.catch(() => {})
    return [{ path: formatPath(at), expected: 'a value with fewer mistakes', received: describeType(value) }]
  }
  const { issues = [] } = result as { readonly issues?: readonly z.$ZodIssue[] }
  return issues.flatMap((issue): Issue[] => {
    const path = [...at, ...issue.path]
    if (issue.code !== 'unrecognized_keys') {
      const describe = isGiven && issue.code === 'invalid_type' ? describeGiven : describeValue
      return [{ path: formatPath(path), expected: issue.message, received: describe(valueAt(value, issue.path)) }]
    }
    const known = zod.def.type === 'object' ? Object.keys(zod.def.shape) : []
    return issue.keys.map((key) => ({
      path: formatPath([...path, key]),
      expected: `a known ${noun}`,
      received: describeType(valueAt(value, [...issue.path, key])),
      message: formatUnknownName(noun, key, known, formatPath([...path, ''])),
    }))
  })
}
