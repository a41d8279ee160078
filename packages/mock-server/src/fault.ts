import type { RequestMatch } from './request-matcher.ts'

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

/** Which requests a fault applies to. */
interface FaultMatch extends RequestMatch {
  /**
   * Number of matching requests that pass first.
   *
   * @default 0
   */
  readonly after?: number
  /** Number of requests it applies to. @default all that follow */
  readonly times?: number
  /**
   * Probability that it applies to a matching request, above 0 and up to 1, drawn from the seeded random numbers of the guild. Faults
   * without it take precedence.
   *
   * @default 1
   */
  readonly probability?: number
  /** End of the fault on the clock of the mock, later than now: a `Date` or an ISO 8601 string. */
  readonly until?: Date | string
}

/** The fields of each kind of fault, in addition to those of the match. What each does is in `faults/kinds.ts`. */
interface FaultFieldsByKind {
  /** The documented 500 of the endpoint. */
  'internal-error': unknown
  /** Any status from 200 to 599, with `message` in the documented error body, or with your own `body`. */
  status: {
    /** HTTP status. */
    readonly status: number
    /** The `message` of the error body. */
    readonly message?: string
    /** A string is sent as it is, anything else as JSON. */
    readonly body?: unknown
    /** Headers in addition to `content-type`, or replacing it. Headers that frame the body, such as `content-length`, are rejected. */
    readonly headers?: Readonly<Record<string, string>>
  }
  /** The correct response, delayed. It can apply together with one other fault. */
  latency: {
    /** Milliseconds, or a distribution of them. */
    readonly ms: number | Distribution
  }
  /** No response; the connection stays open. */
  hang: unknown
  /** The connection breaks before a response. */
  reset: unknown
  /** The connection breaks within the body. */
  truncate: {
    /** Bytes of the body that arrive. @default half of the body */
    readonly bytes?: number
  }
  /** The correct body without its last two characters. */
  'malformed-json': unknown
  /** The correct body with another content type. */
  'wrong-content-type': {
    /** The content type. @default 'text/plain' */
    readonly contentType?: string
  }
  /** Status 502 and an HTML page, as from a proxy that cannot reach the service. */
  'html-502': unknown
  /** The correct body in small chunks. */
  'slow-body': {
    /** Bytes in a chunk. @default 16 */
    readonly chunkBytes?: number
    /**
     * Milliseconds between two chunks, or a distribution: one value is drawn for each body.
     *
     * @default 100
     */
    readonly intervalMs?: number | Distribution
  }
  /** A field of the body is missing, or has another value. */
  schema: {
    /** Path of the field: `pagination.total`, or `data[*].transactions[*].amount` for each of them. */
    readonly field: string
    /** Its value instead. @default the field is missing */
    readonly value?: unknown
  }
  /** A redirect. */
  redirect: {
    /** Where it leads. @default another host */
    readonly location?: string
    /** HTTP status. @default 302 */
    readonly status?: 301 | 302 | 303 | 307 | 308
  }
}

/** What a fault does to a response. `Fault` has the fields of each kind. */
export type FaultKind = keyof FaultFieldsByKind

/** A scripted misbehaviour, and the requests it meets. */
export type Fault = {
  readonly [Kind in FaultKind]: FaultMatch & {
    /** What goes wrong. */
    readonly kind: Kind
  } & FaultFieldsByKind[Kind]
}[FaultKind]

/** A fault of one kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>
