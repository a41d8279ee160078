import type { TracingChannel } from 'node:diagnostics_channel'

/** Name of the tracing channel: `tracing:guild-ledger:request:start`, `:end`, `:asyncStart`, `:asyncEnd`, `:error`. */
const channelName = 'guild-ledger:request'

/** What subscribers get, filled in as the call goes on: never the key, never a request. */
export interface RequestTrace {
  /** Method and path, such as `GET /guild/ledger/transactions`. */
  readonly endpoint: string
  /** Status of the last reply; undefined where none came. */
  status?: number
  /** Attempts made, the first one counted. */
  attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  queuedMs: number
}

// Looked up at run time: runtimes without it pay nothing, and bundlers see no import.
const channel: TracingChannel<RequestTrace> | undefined = globalThis.process
  ?.getBuiltinModule?.('node:diagnostics_channel')
  ?.tracingChannel(channelName)

/** Runs `work` between the events of the tracing channel, where there is one and somebody listens. */
export const traced = <T>(trace: RequestTrace, work: () => Promise<T>): Promise<T> =>
  channel?.hasSubscribers ? channel.tracePromise(work, trace) : work()
