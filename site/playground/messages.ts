/** What the page and the worker that runs a snippet send each other. */

/** Starts a snippet. */
export interface Start {
  readonly code: string
  /** Name of a scenario. */
  readonly scenario: string
  /** Files that earlier runs have written, by name. */
  readonly files: Readonly<Record<string, string>>
}

/** A request of the snippet, sent again when its response has come. */
export interface SentRequest {
  readonly id: number
  /** Path and query. */
  readonly target: string
  /** Milliseconds since the start of the snippet. */
  readonly atMs: number
  /** Milliseconds since the call was made, or since the attempt before failed. */
  readonly waitedMs: number
  /** Undefined until the response has come; `failed` if the connection broke. */
  readonly status?: number | 'failed'
  /** Size of the body of the response. */
  readonly bytes?: number
}

/** An assumption of the mock that a response depended on. */
export interface MetAssumption {
  readonly name: string
  readonly value: string
  /** What the spec does not define. */
  readonly question: string
  /** What the value means, unless it is a number. */
  readonly meaning: string | undefined
}

export type Message =
  | { readonly type: 'started' }
  /** `isIdle`: no timer and no request keeps the snippet running. */
  | { readonly type: 'alive'; readonly isIdle: boolean }
  | { readonly type: 'output'; readonly text: string; readonly isError: boolean }
  | { readonly type: 'request'; readonly request: SentRequest; readonly assumptions: readonly MetAssumption[] }
  | { readonly type: 'file'; readonly name: string; readonly text: string | undefined }
  /** `error` is undefined if the snippet has ended by itself. */
  | { readonly type: 'ended'; readonly error?: string }
