import { describe, expect, it } from 'vitest'
import { any, integer, oneOf, required, secret, string, validate, type Naming } from './index.ts'

class PathError extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}
const fail = (path: string, message: string): never => {
  throw new PathError(path, message)
}
const checks = { seed: integer(0), mode: oneOf('on', 'off'), apiKey: secret(string), name: any }
const failure =
  (given: unknown, naming?: Naming, table: Parameters<typeof validate>[0] = checks) =>
  () =>
    validate(table, given as object, fail, naming)

describe('validate', () => {
  it('returns a fresh object with the given values', () => {
    const given = { seed: 1, name: null }
    const taken = validate(checks, given, fail)
    expect(taken).toEqual({ seed: 1, name: null })
    expect(taken).not.toBe(given)
  })

  it.each([undefined, null])('leaves out what is %s', (seed) => {
    expect(Object.keys(validate(checks, { seed, mode: 'on' }, fail))).toEqual(['mode'])
  })

  it('reads each value exactly once', () => {
    let reads = 0
    const given = {
      get seed() {
        reads += 1
        return reads
      },
    }
    expect(validate(checks, given, fail)).toEqual({ seed: 1 })
    expect(reads).toBe(1)
  })

  it.each<[unknown, string, string]>([
    [{ seed: -1 }, 'seed', '`seed` must be an integer ≥ 0, got -1'],
    [{ mode: 'loud' }, 'mode', '`mode` must be one of on, off, got "loud"'],
    [{ sed: 1 }, 'sed', 'Unknown option `sed`. Did you mean `seed`?'],
    [{ x: 1 }, 'x', 'Unknown option `x`. Known options: `seed`, `mode`, `apiKey`, `name`.'],
    [{ toString: 1 }, 'toString', 'Unknown option `toString`. Known options: `seed`, `mode`, `apiKey`, `name`.'],
    [null, 'options', '`options` must be an object, got null'],
    [[], 'options', '`options` must be an object, got an array of 0'],
  ])('rejects %o and names the path %s', (given, path, message) => {
    expect(failure(given)).toThrow(expect.objectContaining({ path, message }))
  })

  it('reports an unknown name before a wrong value', () => {
    expect(failure({ seed: -1, x: 1 })).toThrow('Unknown option `x`')
  })

  it.each([undefined, null])('rejects %s for a value that is required', (status) => {
    expect(failure({ status }, {}, { status: required(integer(200, 599)) })).toThrow(
      `\`status\` must be an integer from 200 to 599, got ${status}`,
    )
  })

  it('does not show a value that may be a secret, nor that of an unknown name', () => {
    expect(failure({ apiKey: ['s3cret'] })).toThrow('`apiKey` must be a string, got an array of 1')
    expect(failure({ key: 's3cret' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('s3cret') }),
    )
  })

  it('quotes no string where none is expected, and no long one anywhere', () => {
    expect(failure({ seed: '7' })).toThrow('`seed` must be an integer ≥ 0, got a string of 1 character')
    expect(failure('s3cret')).toThrow('`options` must be an object, got a string of 6 characters')
    expect(failure({ mode: 'x'.repeat(15) })).toThrow('`mode` must be one of on, off, got "xxxxxxxxxxxxxxx"')
    expect(failure({ mode: 'x'.repeat(16) })).toThrow('`mode` must be one of on, off, got a string of 16 characters')
  })

  it('puts the path of the object in front of its names', () => {
    expect(failure({ seed: -1 }, { path: 'retry' })).toThrow(
      expect.objectContaining({ path: 'retry.seed', message: '`retry.seed` must be an integer ≥ 0, got -1' }),
    )
    expect(failure({ sed: 1 }, { path: 'retry' })).toThrow('Unknown option `retry.sed`. Did you mean `retry.seed`?')
    expect(failure(5, { path: 'retry' })).toThrow('`retry` must be an object, got 5')
  })
})
