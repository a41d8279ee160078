import {
  codeSpan,
  createChecker,
  describeValue,
  formatIssues,
  formatPath,
  isObject,
  valueAt,
  type Issue,
} from '@guild-ledger/validation'
import type { StandardSchema } from '../contract/index.ts'
import { ResponseValidationError } from '../errors/index.ts'
import type { Log } from './log.ts'
import type { Validation } from './options.ts'
import { transientOnceServed, type ServiceHistory } from './connection-failures.ts'
import { inOneLine } from './foreign-error.ts'
import { beginningOf, isOfService, messageOf } from './to-error.ts'
import { endpointOf } from './warnings.ts'

export const isStandardSchema = (value: unknown): boolean =>
  typeof (value as StandardSchema | null)?.['~standard']?.validate === 'function'

/** Turns a response body into what the caller receives, or returns where it violates the contract. */
export type Decoder<T> = (body: unknown) => Promise<DecodeResult<T>> | DecodeResult<T>
/** @internal */
type DecodeResult<T> =
  | { readonly value: T }
  | {
      readonly issues: readonly Issue[]
      readonly advice: string
      /** Whether it has nothing of a body of the service. */
      readonly isForeign?: boolean
    }

/** A body can have millions. */
const maxIssues = 100

/** Checks a body by a schema of the contract and passes on the body itself: unknown fields are kept. */
export const checkedBy = <T>(schema: Parameters<typeof createChecker>[0]): Decoder<T> => {
  const { accepts, issues } = createChecker(schema)
  return (body) => {
    if (accepts(body)) return { value: body as T }
    const found: Issue[] = []
    for (const issue of issues(body)) if (found.push(issue) === maxIssues) break
    const isForeign = !isObject(body) || !['success', 'data', 'pagination'].some((name) => Object.hasOwn(body, name))
    return { issues: found, advice: "Report it, or set validation to 'warn'.", isForeign }
  }
}

/** Passes on what the caller's own schema makes of a body. */
export const madeBy =
  <T>(schema: StandardSchema<T>): Decoder<T> =>
  async (body) => {
    const result = await schema['~standard'].validate(body)
    if (!result.issues) return result
    const issues = result.issues.map(({ message: expected, path: parts = [] }) => {
      const keys = parts.map((part) => (typeof part === 'object' ? part.key : part))
      const path = formatPath(keys)
      const message = `${path === '' ? 'the body' : codeSpan(path)} does not match the schema: ${expected}`
      return { path, expected, received: describeValue(valueAt(body, keys)), message }
    })
    return { issues, advice: 'Check the schema.' }
  }

export const decodeBody = async <T>(
  body: unknown,
  decode: Decoder<T>,
  validation: Validation,
  label: string,
  log: Log,
  history: ServiceHistory,
): Promise<T> => {
  if (validation === 'off') return body as T
  const result = await decode(body)
  if ('value' in result) return result.value
  const { issues, advice, isForeign } = result
  const first = formatIssues(issues.slice(0, 3), 'the body')
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : ''
  const said = messageOf(body)
  const reason = said === undefined ? '' : ` The service says: ${JSON.stringify(inOneLine(said))}.`
  const message = `the response violates the contract: ${first}${more}.${reason}`
  if (validation === 'strict') {
    const error = new ResponseValidationError(`${label} failed: ${message} ${advice}`, issues, body)
    throw isForeign ? transientOnceServed(error, history) : error
  }
  log('warn', 'contract_violated', `${label}: ${message}`, () => endpointOf(label))
  return body as T
}

/** Parses a body. One that is not JSON has broken off, or comes from a gateway if the service has responded before. */
export const parseJson = (text: string, label: string, history: ServiceHistory): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const received = beginningOf(text)
    const message = `${label} failed: the response body must be JSON, got ${received}. Check baseUrl, or try again.`
    const error = new ResponseValidationError(message, [{ path: '', expected: 'JSON', received }], text)
    throw transientOnceServed(error, { hasServed: history.hasServed || isOfService(text) })
  }
}
