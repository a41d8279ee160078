import { refusals, type Endpoint } from '@guild-ledger/sdk/contract'
import type { Fault, FaultKind, FaultOf } from './fault.ts'
import { broken } from './break-field.ts'

/** How a reply goes out, where it does not go out whole and at once. */
export type Ending =
  | {
      /** Not at all, on a connection that stays open. */
      readonly kind: 'hang'
    }
  | {
      /** Not at all: the connection breaks. */
      readonly kind: 'reset'
    }
  | {
      /** In part, then the connection breaks. */
      readonly kind: 'truncate'
      /** Bytes of the body that go out; half of it where undefined. */
      readonly bytes: number | undefined
    }
  | {
      /** In small pieces. */
      readonly kind: 'slow-body'
      /** Bytes in a piece. */
      readonly chunkBytes: number
      /** Milliseconds between two of them. */
      readonly intervalMs: number
    }

/** What a request can be refused by: HTTP and its path, then the checks of the service in their order. */
export type RefusedBy =
  | 'http'
  | 'path'
  | 'method'
  | 'encoding'
  | 'key'
  | 'subscription'
  | 'scope'
  | 'guild'
  | 'rate limit'
  | 'parameters'
  | 'data'

/** How a reply came about. It is not sent: whoever keeps a log is told. */
export interface Story {
  /** What turned the request away, if anything did. */
  readonly refusedBy?: RefusedBy
  /** Name of the key that was sent, if it is known. */
  readonly keyName?: string
  /** Simulated failures the request met. */
  readonly faults?: readonly FaultKind[]
}

/** A reply before it is written down, and what is to go wrong on its way. */
export interface Answer extends Story {
  readonly status: number
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown
  /** Headers besides those that every reply has, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait before anything is sent. */
  readonly latencyMs?: number
  readonly ending?: Ending
}

type Spoiler<Kind extends FaultKind> = (answer: Answer, fault: FaultOf<Kind>, endpoint: Endpoint) => Answer

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n'

const refused = ({ status, message }: { status: number; message: string }): Answer => ({
  status,
  body: { success: false, message },
})

const named = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

const spoilers: { readonly [Kind in FaultKind]: Spoiler<Kind> } = {
  'internal-error': (_answer, _fault, endpoint) =>
    refused(endpoint === 'guild' ? refusals.guildTransactionsFailed : refusals.userTransactionsFailed),
  status: (_answer, { status, message = `Simulated by the mock: status ${status}`, body, headers = {} }) => ({
    ...(body === undefined ? refused({ status, message }) : { status, body }),
    headers: Object.fromEntries(new Headers(headers)),
  }),
  latency: (answer, { ms }) => ({ ...answer, latencyMs: ms }),
  hang: (answer) => ({ ...answer, ending: { kind: 'hang' } }),
  reset: (answer) => ({ ...answer, ending: { kind: 'reset' } }),
  truncate: (answer, { bytes }) => ({ ...answer, ending: { kind: 'truncate', bytes } }),
  'malformed-json': (answer) => ({ ...answer, body: JSON.stringify(answer.body).slice(0, -2) }),
  'wrong-content-type': (answer, { contentType = 'text/plain' }) => named(answer, { 'content-type': contentType }),
  'html-502': (answer) => named({ ...answer, status: 502, body: proxyPage }, { 'content-type': 'text/html' }),
  'slow-body': (answer, { chunkBytes = 16, intervalMs = 100 }) => ({
    ...answer,
    ending: { kind: 'slow-body', chunkBytes, intervalMs },
  }),
  schema: (answer, { field, value }) => ({ ...answer, body: broken(answer.body, field, value) }),
  redirect: (_answer, { location = 'https://elsewhere.test/', status = 302 }) => ({
    status,
    body: { success: false, message: `Simulated by the mock: redirect to ${location}` },
    headers: { location },
  }),
}

/** The answer as the failures leave it. */
export const spoiled = (answer: Answer, faults: readonly Fault[], endpoint: Endpoint): Answer => {
  let spoilt = answer
  for (const fault of faults) {
    const spoil = spoilers[fault.kind] as Spoiler<FaultKind>
    spoilt = spoil(spoilt, fault, endpoint)
  }
  return spoilt
}
