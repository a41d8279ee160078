import type { Endpoint } from '@guild-ledger/sdk/contract'
import type { FaultKind } from './fault.ts'
import type { SentQuery } from './request-matcher.ts'

/**
 * What a request is rejected by: HTTP and its path, then the checks of the service in their order; `internal error` where
 * the mock itself failed.
 */
export type RejectedBy =
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
  | 'internal error'

/** An HTTP request, as plain data. */
export interface MockRequest {
  /** Such as `GET`. */
  readonly method: string
  /** Path and query string, as sent. */
  readonly target: string
  /** Value of the `x-api-key` header. */
  readonly apiKey: string | null
  /** Network address of the client, where there is a network. */
  readonly address?: string | undefined
  /** Set where MSW intercepted it on its way to the network. */
  readonly intercepted?: boolean | undefined
  /** Set for a client without a throttle: only a rate limit that somebody has set applies to it. */
  readonly unthrottled?: boolean | undefined
}

export interface PathRequest extends Omit<MockRequest, 'target'> {
  /** As sent, without the query string. */
  readonly path: string
  readonly query: SentQuery
}

/** A request once its path was looked up. */
export interface RoutedRequest extends PathRequest {
  /** The operation; `null` for a path that is none. */
  readonly endpoint?: Endpoint | null
  /** The user in the path, if it has one. */
  readonly platformId?: string | undefined
}

/** A request that was routed to one of the two operations. */
export interface OperationRequest extends RoutedRequest {
  /** A `HEAD` gets the same result as a `GET`. */
  readonly method: 'GET' | 'HEAD'
  readonly endpoint: Endpoint
}

/** How a connection misbehaves: it stays open and nothing is sent, it breaks before anything is sent, or within the body. */
export type ConnectionFault = { readonly kind: 'hang' } | { readonly kind: 'reset' } | BodyFault

/** A connection fault that comes after the head of the response. */
export type BodyFault =
  | {
      readonly kind: 'truncate'
      /** Bytes of the body that are sent before the connection breaks; half of it where undefined. */
      readonly bytes: number | undefined
    }
  | {
      readonly kind: 'slow-body'
      readonly chunkBytes: number
      /** Milliseconds between two chunks. */
      readonly intervalMs: number
    }

/** How a response came about. It is not sent; it is there for logs. */
export interface ResponseMeta {
  /** What rejected the request, if anything did. */
  readonly rejectedBy?: RejectedBy
  /** Name of the API key that was sent, if it is known. */
  readonly keyName?: string
  /** Faults that the request met. */
  readonly faults?: readonly FaultKind[]
}

/** What an operation returns for a request. */
export interface OperationResult extends ResponseMeta {
  /** HTTP status. */
  readonly status: number
  /** The body: JSON, unless a fault replaced it. */
  readonly body: string
  /** Headers added to the default ones, or replacing them; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait before anything is sent: a fault. */
  readonly latencyMs?: number
  /** How the connection misbehaves: a fault. */
  readonly connectionFault?: ConnectionFault
}

/** An HTTP response, as plain data. For `HEAD` it has the body of `GET`, which the adapter leaves out. */
export interface MockResponse extends OperationResult {
  readonly headers: Readonly<Record<string, string>>
}

/** Responds to requests, whichever adapter they come through. */
export interface Engine {
  /**
   * Responds synchronously, in plain data. Faults of time and of the connection are data for the caller to act on.
   *
   * @throws {MockInternalError} The mock itself failed.
   */
  respond(request: MockRequest): MockResponse
}

/** Waits `ms` milliseconds, or until the signal aborts; it never rejects. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>

/** An error body of the service. Spec: Errors. */
export const formatErrorBody = (message: string): string => JSON.stringify({ success: false, message })

/** An error response that rejects a request. */
export const errorResult = (
  { status, message }: { readonly status: number; readonly message: string },
  rejectedBy: RejectedBy,
): OperationResult => ({ status, body: formatErrorBody(message), rejectedBy })

/** Statuses whose responses have no body. */
export const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304])
