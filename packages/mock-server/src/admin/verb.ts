import type { Guild } from '../guild/index.ts'
import type { Ledger } from '../mock-ledger/index.ts'
import { isoText } from '../store/index.ts'
import type { Clock } from './clock.ts'
import type { Snapshots } from './snapshots.ts'

/** A JSON Schema, as OpenAPI 3.1 has them. */
export type Schema = Readonly<Record<string, unknown>>

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** One field of a body. */
export interface Field {
  readonly is: string
  readonly schema: Schema
  readonly isRequired?: true
}

/** A body of JSON or text, or what a reply says. */
interface Whole {
  readonly is: string
  readonly schema: Schema
}

/** What a verb takes: an object with no fields but these, any other JSON, or text that it reads itself. */
type Takes = { readonly example: unknown } & (
  | { readonly fields: Readonly<Record<string, Field>> }
  | { readonly json: Whole }
  | { readonly text: Whole }
)

/** What a verb works with. */
export interface Call {
  readonly mock: Ledger
  readonly clock: Clock | undefined
  readonly snapshots: Snapshots
  /** What stands in the path in place of `{…}`. */
  readonly ids: readonly string[]
  /** The body, where a verb takes fields. None that it does not know are among them. */
  readonly fields: Fields
  /** The body, where a verb takes something else. */
  readonly body: unknown
}

/** A member of the objects that a verb stands for. */
type Member = `guild.${keyof Guild}` | `mock.${keyof Ledger}` | `clock.${keyof Clock}`

/** All there is to know of one verb: to route to it, to run it and to describe it. */
export interface Verb {
  /** Its name in clients that are made from the description. */
  readonly id: string
  readonly summary: string
  /** What it is in code. */
  readonly does: readonly Member[]
  readonly takes?: Takes
  /** What a 200 says; without one, the reply is 204. */
  readonly replies?: Whole
  /** When it is refused with 409. */
  readonly conflict?: string
  /** Does what is asked and says what there is to say, as JSON. */
  readonly run: (call: Call) => unknown
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Verbs by path and method. */
export type Verbs = Readonly<Record<string, { readonly [Each in Method]?: Verb }>>

/** A schema that the description has under a name. */
export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** A list of such. */
export const manyOf = (name: string): Schema => ({ type: 'array', items: named(name) })

export const text: Schema = { type: 'string' }
/** A day or a time as it is taken. */
export const isoDate: Schema = { type: 'string', pattern: isoText.source }
