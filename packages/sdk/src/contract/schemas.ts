import * as z from 'zod/mini'

export const number = z.number('a number')
export const string = z.string('a string')

// Not `z.int`, `z.literal` or `z.regex`: each adds to every bundle. OpenAPI takes values and patterns from the functions.
export const count = z.number('an integer').check(z.refine(Number.isSafeInteger, 'an integer'))
export const oneOf = <const Value>(values: readonly Value[], expected = `one of ${values.join(', ')}`) => {
  const accepts = (value: unknown) => values.includes(value as Value)
  return z.custom<Value>(Object.assign(accepts, { values }), expected)
}
export const matching = (pattern: RegExp, expected: string) => {
  const accepts = (text: string) => pattern.test(text)
  return string.check(z.refine(Object.assign(accepts, { pattern }), expected))
}
