import type { Guild, MockLedger } from '../ledger/index.ts'
import { isoText } from '../date-time.ts'
import type { MockClock } from './clock.ts'
import type { Snapshots } from './snapshots.ts'

/** A JSON Schema, as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A body, or a part of one. */
interface Content {
  readonly description: string
  readonly schema: Schema
}

/** One field of a request body. */
export interface Field extends Content {
  readonly required?: true
}

/** A request body: an object with exactly these fields, any other JSON, or text that the route parses itself. */
export type RequestBody = { readonly example: unknown } & (
  | { readonly fields: Readonly<Record<string, Field>> }
  | { readonly json: Content }
  | { readonly text: Content }
)

/** A parsed request, and what a route operates on. */
export interface AdminRequest {
  readonly mock: MockLedger
  readonly clock: MockClock | undefined
  readonly snapshots: Snapshots
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** Values of the `{…}` in the path, in order. */
  readonly pathParameters: readonly string[]
  /** The body of a route that takes fields; unknown ones were rejected before. */
  readonly fields: Fields
  /** The body of any other route. */
  readonly body: unknown
}

/** A member of the objects that the admin API gives access to. */
type Member = `guild.${keyof Guild}` | `mock.${keyof MockLedger}` | `clock.${keyof MockClock}`

/** One operation: requests are routed and run by it, and its description in OpenAPI is made from it. */
export interface AdminRoute {
  /** Name of the operation in generated clients. */
  readonly operationId: string
  readonly summary: string
  /** The members that do the same in code. */
  readonly covers: readonly Member[]
  readonly requestBody?: RequestBody
  /** The body of the response. Without it the response is 204. */
  readonly response?: Content
  /** Whether it creates something: the response is 201, else 200. */
  readonly creates?: true
  /** When the response is 409. */
  readonly conflict?: string
  /** Runs the operation and returns the response body, or a promise of it. */
  readonly run: (request: AdminRequest) => unknown
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Routes by path and method. */
export type AdminRoutes = Readonly<Record<string, { readonly [Each in Method]?: AdminRoute }>>

/** Refers to a named schema of the description. */
export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** An array of a named schema. */
export const arrayOf = (name: string): Schema => ({ type: 'array', items: schemaRef(name) })

export const string: Schema = { type: 'string' }
/** A date or date-time that the mock accepts. */
export const isoDate: Schema = { type: 'string', pattern: isoText.source }
