/**
 * The few kinds of schema that the contract needs, from the core of zod: zod/mini adds a kilobyte to every bundle. The
 * words of each schema say what it takes, so that an issue reads "expected …, received …". The core's constructors have no
 * type parameters, so each function says what it makes.
 */
import * as z from 'zod/v4/core'

const worded = (expected: string) => ({ error: () => expected })

/** Any value that `accepts` takes; also a check beside that of a type. */
export const custom = /* @__NO_SIDE_EFFECTS__ */ <T>(accepts: (value: T) => boolean, expected: string) => {
  const fn = accepts as (value: unknown) => boolean
  return new z.$ZodCustom({ type: 'custom', check: 'custom', fn, ...worded(expected) }) as z.$ZodCustom<T, T>
}

/** One of some values, which are there for those who describe it. */
export const oneOf = /* @__NO_SIDE_EFFECTS__ */ <const T extends boolean | number | string>(
  ...values: readonly T[]
) => {
  const schema = custom(
    (value: T) => values.includes(value),
    values.length > 1 ? `one of ${values.join(', ')}` : `${values[0]}`,
  )
  return Object.assign(schema, { values })
}

/** A check of a string by a pattern, which is there for those who describe it. */
export const regex = /* @__NO_SIDE_EFFECTS__ */ (pattern: RegExp, expected: string) =>
  Object.assign(
    custom((text: string) => pattern.test(text), expected),
    { pattern },
  )

export const string = /* @__NO_SIDE_EFFECTS__ */ (expected: string, ...checks: z.$ZodCheck<string>[]) =>
  new z.$ZodString({ type: 'string', checks, ...worded(expected) }) as z.$ZodString<string>

/** Finite numbers only. */
export const number = /* @__NO_SIDE_EFFECTS__ */ (expected: string, ...checks: z.$ZodCheck<number>[]) =>
  new z.$ZodNumber({ type: 'number', checks, ...worded(expected) }) as z.$ZodNumber<number>

export const optional = /* @__NO_SIDE_EFFECTS__ */ <T extends z.$ZodType>(innerType: T) =>
  new z.$ZodOptional({ type: 'optional', innerType }) as z.$ZodOptional<T>

export const array = /* @__NO_SIDE_EFFECTS__ */ <T extends z.$ZodType>(element: T, expected: string) =>
  new z.$ZodArray({ type: 'array', element, ...worded(expected) }) as z.$ZodArray<T>

/** An object that may have more fields than are known. */
export const object = /* @__NO_SIDE_EFFECTS__ */ <Shape extends z.$ZodShape>(shape: Shape) =>
  new z.$ZodObject({ type: 'object', shape, ...worded('an object') }) as z.$ZodObject<Shape, z.$strip>

/** An object that has no other fields. */
export const strictObject = /* @__NO_SIDE_EFFECTS__ */ <Shape extends z.$ZodShape>(shape: Shape, expected: string) => {
  const catchall = new z.$ZodNever({ type: 'never' })
  return new z.$ZodObject({ type: 'object', shape, catchall, ...worded(expected) }) as z.$ZodObject<Shape, z.$strict>
}
