import type { Aim } from '../aim.ts'

/** Which requests a failure meets. */
interface Meeting extends Aim {
  /**
   * How many of these requests it lets pass first.
   *
   * @default 0
   */
  readonly after?: number
  /** How many requests it meets; all that follow unless given. */
  readonly times?: number
  /**
   * How likely it meets each of them, 0 to 1: by dice of the guild's own, so that the same seed fails the same way.
   * A failure without it goes before those with it.
   */
  readonly probability?: number
}

/** What each kind of failure takes beside its aim. */
interface Kinds {
  /** The documented 500 of the endpoint. Spec: Errors. */
  'internal-error': unknown
  /**
   * Any status, with `message` in the documented error body, or with a body of your own. A `content-encoding` that lies
   * shows over HTTP and behind MSW's `setupServer` only; elsewhere it is an error that says so.
   */
  status: {
    /** HTTP status, 200 to 599. */
    readonly status: number
    /** Goes into the error body. */
    readonly message?: string
    /** Text is sent as it is, anything else as JSON. */
    readonly body?: unknown
    /** Headers beside `content-type`, or in its place. */
    readonly headers?: Readonly<Record<string, string>>
  }
  /** The right reply, so many milliseconds late. Goes together with any other failure. */
  latency: {
    /** Milliseconds. */
    readonly ms: number
  }
  /** No reply at all, on a connection that stays open. */
  hang: unknown
  /** The connection breaks before a reply. Through MSW the client sees no `ECONNRESET`, only that fetch failed. */
  reset: unknown
  /**
   * The connection breaks after so many bytes of the body; half of it unless given. With 0 bytes MSW's `setupServer`
   * cannot show it and answers with a status 501 that says so.
   */
  truncate: {
    /** Bytes of the body that arrive. */
    readonly bytes?: number
  }
  /** The right reply, but for its last characters. */
  'malformed-json': unknown
  /** The right body under a wrong name; `text/plain` unless given. */
  'wrong-content-type': {
    /** @default 'text/plain' */
    readonly contentType?: string
  }
  /** The page of a proxy that does not reach the service. */
  'html-502': unknown
  /** The right body in small pieces; 16 bytes each 100 ms unless given. */
  'slow-body': {
    /** @default 16 */
    readonly chunkBytes?: number
    /** @default 100 */
    readonly intervalMs?: number
  }
  /**
   * A field is missing, or has `value` instead. `field` is such as `pagination.total`,
   * `data[0].transactions[0].amount` or, for each of them, `data[*].transactions[*].amount`.
   */
  schema: {
    /** Where in the body. */
    readonly field: string
    /** What stands there instead. */
    readonly value?: unknown
  }
  /** A redirect, 302 to another host unless given. */
  redirect: {
    /** Where it points. */
    readonly location?: string
    /** @default 302 */
    readonly status?: 301 | 302 | 303 | 307 | 308
  }
}

/** What goes wrong. */
export type FaultKind = keyof Kinds

/** A failure, and the requests it meets. */
export type Fault = {
  readonly [Kind in FaultKind]: Meeting & {
    /** What goes wrong. */
    readonly kind: Kind
  } & Kinds[Kind]
}[FaultKind]

/** One kind of failure. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>
