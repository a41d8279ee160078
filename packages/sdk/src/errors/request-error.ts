import { GuildLedgerError as BaseError } from './base.ts'

/** A request failed. The details are set by the client: an error of a throttle that you call yourself has none. */
export abstract class RequestError extends BaseError {
  /** HTTP method. */
  declare readonly method: 'GET'
  /**
   * Path with the names of its parameters, such as `/guild/ledger/{platformId}/transactions`: fit for a label. For
   * `ledger.get` the path that was passed.
   */
  declare readonly endpoint: string
  /** Address of the request, without the identifier of a user or other values that may name a person, and without the key. */
  declare readonly url: string
  /** Attempts made, including the first; 0 if nothing was sent. */
  declare readonly attempts: number
  /** Identifies the call: the same in log lines, in `page.response` and on the tracing channel. */
  declare readonly callId: string
}

/** What an error knows about its request. */
export type RequestDetails = Pick<RequestError, 'method' | 'endpoint' | 'url' | 'attempts' | 'callId'>

/** What an error says of its request, without its other fields. */
export const detailsOf = ({ method, endpoint, url, attempts, callId }: RequestDetails): RequestDetails => {
  return { method, endpoint, url, attempts, callId }
}

/** A true copy of an error, with a stack of its own. */
const copyOf = <E extends Error>(error: E): E => {
  const { stack: _stack, message: _message, ...own } = Object.getOwnPropertyDescriptors(error)
  return Object.defineProperties(Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error)), own)
}

/** Completes the error of a call. Calls that share a request share its error: each gets a copy. */
export const withDetails = (error: unknown, details: () => RequestDetails): unknown => {
  if (!(error instanceof RequestError)) return error
  return Object.assign(Object.hasOwn(error, 'callId') ? copyOf(error) : error, details())
}
