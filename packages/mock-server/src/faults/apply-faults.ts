import { documentedErrors, type Endpoint } from '@guild-ledger/sdk/contract'
import { formatErrorBody, type FaultKind, type OperationResult } from '../http.ts'
import type { Fault, FaultOf } from './fault.ts'
import { delayOf } from './delay.ts'
import { setField } from './set-field.ts'

interface Context {
  readonly endpoint: Endpoint
  /** Draws a random number from 0 to 1. */
  readonly random: () => number
}

type Apply<Kind extends FaultKind> = (
  result: OperationResult,
  fault: FaultOf<Kind>,
  context: Context,
) => OperationResult

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n'

/** The documented internal failure of an operation. Spec: Errors. */
const internalError = (endpoint: Endpoint): OperationResult => {
  const { status, message } =
    endpoint === 'guild' ? documentedErrors.guildTransactionsFailed : documentedErrors.userTransactionsFailed
  return { status, body: formatErrorBody(message) }
}

const withHeaders = (result: OperationResult, headers: Readonly<Record<string, string>>): OperationResult => ({
  ...result,
  headers: { ...result.headers, ...headers },
})

const bodyOfStatus = (status: number, body: unknown, message = `Simulated by the mock: status ${status}`): string => {
  if (body === undefined) return formatErrorBody(message)
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const apply: { readonly [Kind in FaultKind]: Apply<Kind> } = {
  'internal-error': (_result, _fault, { endpoint }) => internalError(endpoint),
  status: (_result, { status, message, body, headers = {} }) => ({
    status,
    body: bodyOfStatus(status, body, message),
    headers: Object.fromEntries(new Headers(headers)),
  }),
  latency: (result, { ms }, { random }) => ({ ...result, latencyMs: delayOf(ms, random) }),
  hang: (result) => ({ ...result, connectionFault: { kind: 'hang' } }),
  reset: (result) => ({ ...result, connectionFault: { kind: 'reset' } }),
  truncate: (result, { bytes }) => ({ ...result, connectionFault: { kind: 'truncate', bytes } }),
  'malformed-json': (result) => ({ ...result, body: result.body.slice(0, -2) }),
  'wrong-content-type': (result, { contentType = 'text/plain' }) =>
    withHeaders(result, { 'content-type': contentType }),
  'html-502': (result) => withHeaders({ ...result, status: 502, body: proxyPage }, { 'content-type': 'text/html' }),
  'slow-body': (result, { chunkBytes = 16, intervalMs = 100 }, { random }) => ({
    ...result,
    connectionFault: { kind: 'slow-body', chunkBytes, intervalMs: delayOf(intervalMs, random) },
  }),
  schema: (result, { field, value }) => ({ ...result, body: setField(result.body, field, value) }),
  redirect: (_result, { location = 'https://elsewhere.test/', status = 302 }) => ({
    status,
    body: formatErrorBody(`Simulated by the mock: redirect to ${location}`),
    headers: { location },
  }),
}

const sameHeaders = (before: OperationResult['headers'] = {}, after: OperationResult['headers'] = {}): boolean => {
  const names = Object.keys(after)
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name])
}

const isOneChunk = ({ body }: OperationResult, chunkBytes: number): boolean =>
  body.length <= chunkBytes && new TextEncoder().encode(body).length <= chunkBytes

/** Whether a client can tell the two results from each other. */
const differs = (before: OperationResult, after: OperationResult): boolean => {
  const { connectionFault, latencyMs = 0 } = after
  if (connectionFault && !(connectionFault.kind === 'slow-body' && isOneChunk(after, connectionFault.chunkBytes))) {
    return true
  }
  return (
    latencyMs > (before.latencyMs ?? 0) ||
    after.status !== before.status ||
    after.body !== before.body ||
    !sameHeaders(before.headers, after.headers)
  )
}

/** The result as a fault leaves it; undefined where it changes nothing. */
export const applyFault = (result: OperationResult, fault: Fault, context: Context): OperationResult | undefined => {
  const after = (apply[fault.kind] as Apply<FaultKind>)(result, fault, context)
  return differs(result, after) ? after : undefined
}
