import { operations, type Endpoint } from '@guild-ledger/sdk/contract'
import { required, type Checks } from '@guild-ledger/validation'
import type { FaultKind, FaultOf } from '../fault.ts'
import { formatErrorBody, type OperationResult } from '../http.ts'
import { delayOf } from './delay.ts'
import { fields } from './fault-fields.ts'
import { setField } from './set-field.ts'

export interface ApplyContext {
  readonly endpoint: Endpoint
  readonly random: () => number
}

export type Apply<Kind extends FaultKind> = (
  result: OperationResult,
  fault: FaultOf<Kind>,
  context: ApplyContext,
) => OperationResult

interface FaultDefinition<Kind extends FaultKind> {
  readonly fields: Checks
  readonly apply: Apply<Kind>
  /** What the form of the dashboard starts with. */
  readonly example?: Readonly<Record<string, unknown>>
}

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n'

const internalError = (endpoint: Endpoint): OperationResult => {
  const { status, message } = operations[endpoint].failed
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

/**
 * Each kind of fault: what its fields take, and what it does. `Fault` has the types of the fields; its comments are the
 * descriptions in the admin API and in docs/faults.md. The dashboard offers every kind of this table.
 */
export const faultKinds: { readonly [Kind in FaultKind]: FaultDefinition<Kind> } = {
  'internal-error': { fields: {}, apply: (_result, _fault, { endpoint }) => internalError(endpoint) },
  status: {
    example: { status: 503 },
    fields: { status: required(fields.status), message: fields.text, body: fields.json, headers: fields.headers },
    apply: (_result, { status, message, body, headers = {} }) => ({
      status,
      body: bodyOfStatus(status, body, message),
      headers: Object.fromEntries(new Headers(headers)),
    }),
  },
  latency: {
    example: { ms: 1000 },
    fields: { ms: required(fields.delay) },
    apply: (result, { ms }, { random }) => ({ ...result, latencyMs: delayOf(ms, random) }),
  },
  hang: { fields: {}, apply: (result) => ({ ...result, connectionFault: { kind: 'hang' } }) },
  reset: { fields: {}, apply: (result) => ({ ...result, connectionFault: { kind: 'reset' } }) },
  truncate: {
    fields: { bytes: fields.atLeast(0) },
    apply: (result, { bytes }) => ({ ...result, connectionFault: { kind: 'truncate', bytes } }),
  },
  'malformed-json': { fields: {}, apply: (result) => ({ ...result, body: result.body.slice(0, -2) }) },
  'wrong-content-type': {
    fields: { contentType: fields.header },
    apply: (result, { contentType = 'text/plain' }) => withHeaders(result, { 'content-type': contentType }),
  },
  'html-502': {
    fields: {},
    apply: (result) => withHeaders({ ...result, status: 502, body: proxyPage }, { 'content-type': 'text/html' }),
  },
  'slow-body': {
    fields: { chunkBytes: fields.atLeast(1), intervalMs: fields.delay },
    apply: (result, { chunkBytes = 16, intervalMs = 100 }, { random }) => ({
      ...result,
      connectionFault: { kind: 'slow-body', chunkBytes, intervalMs: delayOf(intervalMs, random) },
    }),
  },
  schema: {
    example: { field: 'pagination.total' },
    fields: { field: required(fields.path), value: fields.json },
    apply: (result, { field, value }) => ({ ...result, body: setField(result.body, field, value) }),
  },
  redirect: {
    fields: { location: fields.header, status: fields.redirectStatus },
    apply: (_result, { location = 'https://elsewhere.test/', status = 302 }) => ({
      status,
      body: formatErrorBody(`Simulated by the mock: redirect to ${location}`),
      headers: { location },
    }),
  },
}
