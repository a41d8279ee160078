import { describeValue } from '@guild-ledger/validation'
import type { Guild } from '../ledger/guild.ts'
import type { MockLedger } from '../ledger/ledger.ts'
import type { MockClock } from './clock.ts'
import type { Snapshot } from '../ledger/snapshots.ts'

/** An error response of the admin API. The message is all that a client sees. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** A parsed request, and what a route operates on. Who uses a value checks it. */
export interface AdminRequest {
  readonly mock: MockLedger
  readonly clock: MockClock | undefined
  /** Those that were taken, the first one first. Old ones are dropped, for the memory of a long-running server. */
  readonly snapshots: (Snapshot | undefined)[]
  /** The values of the `{…}` in the path, in order. */
  readonly path: readonly string[]
  /** The body of a route that takes fields. */
  readonly fields: Readonly<Record<string, never>>
  readonly body: never
}

export interface Route {
  /** Names of the fields of its body, or which other body it takes. By default it takes none. */
  readonly body?: readonly string[] | 'json' | 'text'
  /** Whether it creates something: the status is 201, else 200, or 204 without a result. */
  readonly creates?: true
  /** Runs the operation and returns the body of the response, or a promise of it. */
  readonly run: (request: AdminRequest) => unknown
}

export const guildOf = ({ mock, path: [id] }: AdminRequest): Guild => {
  const guild = mock.guilds.find((one) => one.id === id)
  if (guild) return guild
  throw new HttpError(404, `There is no guild ${describeValue(id)}: see GET /_mock/guilds.`)
}
