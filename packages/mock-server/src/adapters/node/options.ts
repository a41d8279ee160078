import {
  aFunction,
  boolean,
  check,
  integer,
  milliseconds,
  nonEmptyString,
  required,
  type Checks,
} from '@guild-ledger/validation'
import type { IncomingMessage } from 'node:http'
import type { Engine, MockRequest, MockResponse, ResponseMeta } from '../../http.ts'
import { checkedFields } from '../../type-error.ts'

/**
 * One response, for a log. It contains nothing of the API key but its name. `target` is as sent: it may contain control
 * sequences of terminals.
 */
export interface ResponseEvent extends ResponseMeta, Pick<MockRequest, 'method' | 'target'> {
  /** HTTP status. */
  readonly status: number
  /** With status 500, why the mock itself failed. */
  readonly error?: string
  /** Milliseconds from the headers of the request to the end of the response. */
  readonly durationMs: number
}

/** Further paths to serve, such as an admin API. */
export interface Routes {
  /** Whether the target (path and query string) is one of them. */
  owns(target: string): boolean
  /** Responds to a request for one of them. */
  respond(request: IncomingMessage): Promise<MockResponse>
}

/** Where and what to serve. */
export interface MockServerOptions {
  /** The mock ledger to serve. */
  readonly mock: Engine
  /**
   * Port to listen on; 0 for a free one.
   *
   * @default 0
   */
  readonly port?: number
  /**
   * Address to listen on. Anything but loopback opens the mock to the network.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string
  /**
   * Lets web pages of any origin send requests, preflight requests included.
   *
   * @default false
   */
  readonly cors?: boolean
  /**
   * Milliseconds for requests in flight to finish when the server is closed.
   *
   * @default 800
   */
  readonly closeMs?: number
  /** Further paths, such as `createAdmin` of `@guild-ledger/mock-server/admin`. `onResponse` is not called for them. */
  readonly routes?: Routes
  /** Called after each response was sent. */
  readonly onResponse?: (event: ResponseEvent) => void
}

/** A mock ledger behind real HTTP. With `await using` it closes by itself. */
export interface MockServer extends AsyncDisposable {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** The port it listens on. */
  readonly port: number
  /**
   * Frees the port, lets requests in flight finish for `closeMs` and ends all connections. Calling it
   * again does no harm.
   */
  close(): Promise<void>
}

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')

const serverChecks: Checks = {
  mock: required(check((value) => hasMethods(value, 'respond'), 'a mock ledger')),
  port: integer(0, 65_535),
  host: nonEmptyString,
  cors: boolean,
  closeMs: milliseconds(0),
  routes: check((value) => hasMethods(value, 'owns', 'respond'), 'routes such as createAdmin(mock)'),
  onResponse: aFunction,
}

export const checkedServerOptions = (options: MockServerOptions): MockServerOptions => {
  if (hasMethods(options, 'respond')) throw new TypeError('`options` must be an object such as { mock }, got a mock')
  return checkedFields(serverChecks, options)
}
