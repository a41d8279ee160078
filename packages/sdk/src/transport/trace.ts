import type { TracingChannel } from 'node:diagnostics_channel'

/** Name of the tracing channel: `tracing:guild-ledger:request:start`, `:end`, `:asyncStart`, `:asyncEnd`, `:error`. */
const channelName = 'guild-ledger:request'

/** What subscribers receive, updated during the call. It never holds the key or a request. */
export interface RequestTrace {
  /** Identifies the call: the same in log lines, in `page.response` and on errors. */
  readonly callId: string
  /** HTTP method. */
  readonly method: 'GET'
  /** Path with the names of its parameters, such as `/guild/ledger/{platformId}/transactions`. */
  readonly endpoint: string
  /** Status of the last response; undefined without one. */
  status?: number
  /** Attempts made, including the first; one counts when it is sent. */
  attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  queuedMs: number
}

// Looked up at run time: runtimes without it need nothing, and bundlers see no import.
const channel: TracingChannel<RequestTrace> | undefined = globalThis.process
  ?.getBuiltinModule?.('node:diagnostics_channel')
  ?.tracingChannel(channelName)

let processId: string | undefined
let calls = 0

/** Begins the trace of a call. */
export const startTrace = (endpoint: string): RequestTrace => {
  processId ??= Math.random().toString(36).slice(2, 8) // Workers have no random numbers before the first request
  return { callId: `${processId}-${++calls}`, method: 'GET', endpoint, attempts: 0, queuedMs: 0 }
}

/** Runs `work` between the events of the tracing channel, if the runtime has one and it has subscribers. */
export const traced = <T>(trace: RequestTrace, work: () => Promise<T>): Promise<T> =>
  channel?.hasSubscribers ? channel.tracePromise(work, trace) : work()
