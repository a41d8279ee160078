import type { TracingChannel } from 'node:diagnostics_channel'
import { propertyOf } from '@guild-ledger/validation'
import type { RequestDetails } from '../errors/index.ts'

/** One request of a call, as it went over the network. */
export interface RequestTiming {
  /** Status of its response; undefined if none came. */
  readonly status: number | undefined
  /** Milliseconds from the moment it was sent until the headers of its response came, or until it failed. */
  readonly durationMs: number
}

/** What subscribers of the tracing channel receive, updated during the call. It never holds the key or a request. */
export interface RequestTrace extends Pick<RequestDetails, 'method' | 'endpoint' | 'callId'> {
  /** Status of the last response; undefined without one. */
  status?: number
  /** Attempts made, including the first; one counts when it is sent. */
  attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  queuedMs: number
  /** The requests of the call, in the order in which they ended. Calls that share a request list it each. */
  requests: RequestTiming[]
}

// `tracing:guild-ledger:request:start`, `:end`, `:asyncStart`, `:asyncEnd`, `:error`.
// Looked up at run time: runtimes without it need nothing, and bundlers see no import.
const channel: TracingChannel<RequestTrace> | undefined = globalThis.process
  ?.getBuiltinModule?.('node:diagnostics_channel')
  ?.tracingChannel('guild-ledger:request')

let processId: string | undefined
let calls = 0

/** Begins the trace of a call. */
export const startTrace = (endpoint: string): RequestTrace => {
  // Next.js ends its prerender where a random number or the date is read.
  const microseconds = (performance.timeOrigin + performance.now()) * 1000
  processId ??= Math.round(microseconds).toString(36).slice(-6)
  return { callId: `${processId}-${++calls}`, method: 'GET', endpoint, attempts: 0, queuedMs: 0, requests: [] }
}

/** Runs `work` between the events of the tracing channel, if the runtime has one and it has subscribers. */
export const traced = <T>(trace: RequestTrace, work: () => Promise<T>): Promise<T> =>
  channel?.hasSubscribers ? channel.tracePromise(work, trace) : work()

/** The response behind a page. */
export interface ResponseInfo extends Pick<RequestDetails, 'callId'> {
  /** HTTP status. */
  readonly status: number
  /** Response headers, with the API key redacted. */
  readonly headers: Headers
  /** Attempts made, including the first; 0 if middleware responded and nothing was sent. */
  readonly attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  readonly queuedMs: number
}

/** A property, not a `WeakMap`: behind a proxy, as Vue makes them, a page is another object. */
const info = Symbol.for('@guild-ledger/sdk/response')

/**
 * The response behind a page, whatever fields its body has: `page.response` is the same, unless the body has a field of
 * that name. Undefined for anything but a page that `list` or `pages` of this package returned.
 */
export const responseOf = (page: unknown): ResponseInfo | undefined =>
  propertyOf(page, info) as ResponseInfo | undefined

/**
 * Keeps the response of a body apart from it, because a body may have any field. It is a property as well where the name
 * is free, one that `JSON.stringify` and `Object.keys` ignore.
 */
export const withResponse = <T>(body: T, response: ResponseInfo): T => {
  if (typeof body !== 'object' || body === null) return body
  // Proxies may return another object for a property only if it is configurable.
  const property = { value: response, configurable: true }
  Object.defineProperty(body, info, property)
  return Object.hasOwn(body, 'response') ? body : Object.defineProperty(body, 'response', property)
}
