import { createChecker, describeValue, formatIssues, type Issue } from '@guild-ledger/validation'
import { ResponseValidationError } from '../errors/index.ts'
import type { Log } from './log.ts'
import type { Validation } from './options.ts'
import { inOneLine, messageOf, toTooLargeError } from './to-error.ts'

/**
 * Reads the text of a body of at most `maxBytes`; undefined if there are more, and the rest is cancelled. The bytes are
 * counted as they are read, decompressed: what headers say of them may be wrong.
 */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const reader = response.body?.getReader?.()
  if (!reader) {
    const text = await response.text() // empty, or of a fetch whose bodies are no web streams
    return text.length > maxBytes ? undefined : text
  }
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Objects and arrays take most memory: 36 bytes for each byte of `{}`. A page has one of them in about 70 bytes. */
const bytesPerContainer = 25

const countOf = (character: string, text: string): number => {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++
  return count
}

/**
 * Parses the body of a success response. Its objects and arrays are counted before, with those characters in strings.
 *
 * @throws {ResponseValidationError} It is not JSON, or has too many objects and arrays for `maxBytes`.
 */
export const parseJson = (text: string, endpoint: string, maxBytes: number): unknown => {
  const maxContainers = Math.ceil(maxBytes / bytesPerContainer)
  if (countOf('{', text) + countOf('[', text) > maxContainers) {
    throw toTooLargeError(endpoint, `have at most ${maxContainers} objects and arrays`)
  }
  try {
    return JSON.parse(text)
  } catch {
    const received = text === '' ? 'an empty body' : `a body that starts with ${JSON.stringify(text.slice(0, 60))}`
    throw new ResponseValidationError(
      `${endpoint} failed: the response body must be JSON, got ${received}. Check baseUrl, or try again.`,
      [{ path: '', expected: 'JSON', received }],
      text,
    )
  }
}

/** Any schema of the Standard Schema specification: zod, valibot, arktype and others. */
export interface StandardSchema<Output = unknown> {
  /** The properties that the specification requires. */
  readonly '~standard': {
    /** Version of the specification. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Returns what it makes of a value, or the issues it has with it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Types of its input and output, for the type checker only. */
    readonly types?:
      | {
          /** Type of its input. */
          readonly input: unknown
          /** Type of its output. */
          readonly output: Output
        }
      | undefined
  }
}
/** @internal */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly StandardKey[] | undefined }[] }
/** @internal */
type StandardKey = PropertyKey | { readonly key: PropertyKey }

/** Whether a value is a schema of the Standard Schema specification. */
export const isStandardSchema = (value: unknown): boolean =>
  typeof (value as StandardSchema | null)?.['~standard']?.validate === 'function'

/** Turns a response body into what the caller receives, or returns where it violates the contract. */
export type Decoder<T> = (body: unknown) => Promise<DecodeResult<T>> | DecodeResult<T>
/** @internal */
type DecodeResult<T> = { readonly value: T } | { readonly issues: readonly Issue[] }

/** A body can have millions. */
const maxIssues = 100

/** Checks a body by a schema of the contract and passes on the body itself: unknown fields are kept. */
export const checkedBy = <T>(schema: Parameters<typeof createChecker>[0]): Decoder<T> => {
  const { accepts, issues } = createChecker(schema)
  return (body) => {
    if (accepts(body)) return { value: body as T }
    const found: Issue[] = []
    for (const issue of issues(body)) if (found.push(issue) === maxIssues) break
    return { issues: found }
  }
}

/** Passes on what the caller's own schema makes of a body. */
export const madeBy =
  <T>(schema: StandardSchema<T>): Decoder<T> =>
  async (body) => {
    const result = await schema['~standard'].validate(body)
    if (!result.issues) return result
    return {
      issues: result.issues.map(({ message, path = [] }) => ({
        path: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
        expected: message,
        received: describeValue(body),
      })),
    }
  }

/** Applies a decoder as strictly as `validation` requires. */
export const decodeBody = async <T>(
  body: unknown,
  decode: Decoder<T>,
  validation: Validation,
  endpoint: string,
  log: Log,
): Promise<T> => {
  if (validation === 'off') return body as T
  const result = await decode(body)
  if ('value' in result) return result.value
  const { issues } = result
  const first = formatIssues(issues.slice(0, 3), 'the body')
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : ''
  const said = messageOf(body)
  const reason = said === undefined ? '' : ` The service says: ${JSON.stringify(inOneLine(said))}.`
  const message = `the response violates the contract: ${first}${more}.${reason}`
  if (validation === 'strict') {
    throw new ResponseValidationError(
      `${endpoint} failed: ${message} Report it, or set validation to 'warn'.`,
      issues,
      body,
    )
  }
  log('warn', `${endpoint}: ${message}`)
  return body as T
}
