import { isDateObject, type Issue } from '@guild-ledger/validation'
import type { StandardSchema } from '../contract/index.ts'
import { madeBy, type CallOptions, type Decoder, type QueryParameters, type Transport } from '../transport/index.ts'
import { issueOf, issuesOfForm, throwIfAny } from './check-query.ts'

const pathAllowed =
  'an absolute path such as /guild/discharges, without dot segments, query, fragment or control characters'
const isPlainPath = (path: unknown) =>
  typeof path === 'string' &&
  /^\/(?!\/)[^?#\\\s\p{Cc}\p{Surrogate}]*$/u.test(path) &&
  !path.split(/\/|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))

const isParameter = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) ||
  (isDateObject(value) && !Number.isNaN(value.getTime()))

const parameterAllowed = 'a string without lone surrogates, a finite number, true, false or a valid Date'
const issuesOfParameters = (query: QueryParameters): Issue[] =>
  Object.entries(query)
    .filter(([name, value]) => !isParameter(name) || !isParameter(value))
    .map(([name, value]) => issueOf(name, parameterAllowed, value))

/** Requests a path that the spec names but does not describe. Spec: Endpoints, Other paths. */
export const customPath = async <Output>(
  transport: Transport,
  path: string,
  query: QueryParameters,
  schema: StandardSchema<Output> | undefined,
  options: CallOptions,
): Promise<Output> => {
  throwIfAny(isPlainPath(path) ? [] : [issueOf('path', pathAllowed, path)])
  throwIfAny(issuesOfForm(query))
  throwIfAny(issuesOfParameters(query))
  const decode: Decoder<Output> = schema ? madeBy(schema) : (body) => ({ value: body as Output })
  return (await transport.get({ path, endpoint: path, query, decode, options })).value
}
