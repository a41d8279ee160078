import { checkerOf, inWords, sentence, type Issue } from '../contract/index.ts'
import { ResponseValidationError } from '../errors/index.ts'
import { inOneLine } from './in-one-line.ts'
import type { Log } from './log.ts'
import type { Validation } from './settings.ts'

/** Any schema of the Standard Schema specification: zod, valibot, arktype and others. */
export interface StandardSchema<Output = unknown> {
  /** What the specification asks for. */
  readonly '~standard': {
    /** Version of the specification. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Tells what it makes of a value, or what is wrong with it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** What it takes and makes, for the type checker only. */
    readonly types?:
      | {
          /** What it takes. */
          readonly input: unknown
          /** What it makes. */
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

/** Whether a value is a schema of that specification. */
export const isStandardSchema = (value: unknown): boolean =>
  typeof (value as StandardSchema | null)?.['~standard']?.validate === 'function'

/** Makes a reply body into what the caller gets, or tells where it breaks the contract. */
export type Read<T> = (body: unknown) => Promise<Outcome<T>> | Outcome<T>
/** @internal */
type Outcome<T> = { readonly value: T } | { readonly issues: readonly Issue[] }

/** No more are looked for: a body can have millions. */
const mostIssues = 100

/** Checks a body by a schema of the contract and hands on the body itself: unknown fields stay. */
export const checkedBy = <T>(schema: Parameters<typeof checkerOf>[0]): Read<T> => {
  const { fits, issues } = checkerOf(schema)
  return (body) => {
    if (fits(body)) return { value: body as T }
    const found: Issue[] = []
    for (const issue of issues(body)) if (found.push(issue) === mostIssues) break
    return { issues: found }
  }
}

/** Hands on what the caller's own schema makes of a body. */
export const madeBy =
  <T>(schema: StandardSchema<T>): Read<T> =>
  async (body) => {
    const result = await schema['~standard'].validate(body)
    if (!result.issues) return result
    return {
      issues: result.issues.map(({ message, path = [] }) => ({
        path: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
        expected: message,
        received: inWords(body),
      })),
    }
  }

const messageOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? ` The service says: ${JSON.stringify(inOneLine(body.message))}.`
    : ''

/** Applies `read` as strictly as `validation` wants. */
export const readBody = async <T>(
  body: unknown,
  read: Read<T>,
  validation: Validation,
  endpoint: string,
  log: Log,
): Promise<T> => {
  if (validation === 'off') return body as T
  const result = await read(body)
  if ('value' in result) return result.value
  const { issues } = result
  const shown = issues.slice(0, 3).map((issue) => sentence({ ...issue, path: issue.path || 'the body' }))
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : ''
  const message = `The reply breaks the contract: ${endpoint}: ${shown.join('. ')}${more}.${messageOf(body)}`
  if (validation === 'strict') {
    throw new ResponseValidationError(`${message} Report it, or set validation to 'warn'.`, issues, body)
  }
  log('warn', message)
  return body as T
}
