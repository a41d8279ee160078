import type { FaultKind } from '../http.ts'
import type { RequestMatch } from '../request-matcher.ts'

/**
 * How long something takes, as a distribution: half of the values are below `median`, and one in a hundred is above `p99`.
 * The values are log-normal, as response times mostly are, in milliseconds, and drawn from the random numbers of the guild.
 */
export interface Distribution {
  /** Milliseconds that half of the values are below. */
  readonly median: number
  /** Milliseconds that 99 of 100 values are below; not below `median`. */
  readonly p99: number
}

/** Which requests a fault meets. */
interface FaultMatch extends RequestMatch {
  /**
   * How many of these requests pass first.
   *
   * @default 0
   */
  readonly after?: number
  /** How many requests it meets; all that follow unless given. */
  readonly times?: number
  /**
   * How likely it meets each of them, 0 to 1: by random numbers of the guild's own, so that the same seed gives the same
   * faults. A fault without it takes precedence over those with it.
   */
  readonly probability?: number
  /** The fault ends at this time on the clock of the mock: a `Date` or an ISO 8601 string. */
  readonly until?: Date | string
}

/** The fields of each kind of fault, in addition to those of the match. */
interface FaultFieldsByKind extends Record<FaultKind, unknown> {
  /** The documented 500 of the endpoint. Spec: Errors. */
  'internal-error': unknown
  /**
   * Any status, with `message` in the documented error body, or with a body of your own. A false `content-encoding` works
   * over HTTP and behind MSW's `setupServer` only; through other adapters it is an error that says so.
   */
  status: {
    /** HTTP status, 200 to 599. */
    readonly status: number
    /** Goes into the error body. */
    readonly message?: string
    /** A string is sent as it is, anything else as JSON. */
    readonly body?: unknown
    /** Headers in addition to `content-type`, or replacing it. */
    readonly headers?: Readonly<Record<string, string>>
  }
  /** The right response, late. It can meet a request together with any other fault. */
  latency: {
    /** Milliseconds, or their distribution. */
    readonly ms: number | Distribution
  }
  /** No response at all, on a connection that stays open. */
  hang: unknown
  /** The connection breaks before a response. Through MSW the client gets no `ECONNRESET`, only that fetch failed. */
  reset: unknown
  /**
   * The connection breaks within the body; after half of it unless given. With 0 bytes MSW's `setupServer` cannot
   * simulate it and responds with a status 501 that says so.
   */
  truncate: {
    /** Bytes of the body that arrive. */
    readonly bytes?: number
  }
  /** The right response without its last two characters. */
  'malformed-json': unknown
  /** The right body with the wrong content type. */
  'wrong-content-type': {
    /** @default 'text/plain' */
    readonly contentType?: string
  }
  /** The error page of a proxy that does not reach the service. */
  'html-502': unknown
  /** The right body in small chunks. */
  'slow-body': {
    /** @default 16 */
    readonly chunkBytes?: number
    /**
     * Milliseconds between two chunks, or their distribution: one value is drawn for each body.
     *
     * @default 100
     */
    readonly intervalMs?: number | Distribution
  }
  /**
   * A field is missing, or is `value` instead. `field` is a path such as `pagination.total`,
   * `data[0].transactions[0].amount` or, for each of them, `data[*].transactions[*].amount`.
   */
  schema: {
    /** Path of the field in the body. */
    readonly field: string
    /** What it is instead. */
    readonly value?: unknown
  }
  /** A redirect; to another host unless given. */
  redirect: {
    /** Where it points. */
    readonly location?: string
    /** @default 302 */
    readonly status?: 301 | 302 | 303 | 307 | 308
  }
}

/** A scripted misbehaviour, and the requests it meets. */
export type Fault = {
  readonly [Kind in FaultKind]: FaultMatch & {
    /** What goes wrong. */
    readonly kind: Kind
  } & FaultFieldsByKind[Kind]
}[FaultKind]

/** A fault of one kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>
