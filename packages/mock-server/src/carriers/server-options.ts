import type { IncomingMessage } from 'node:http'
import type { Engine, Reply } from '../engine.ts'
import type { Story } from '../faults/index.ts'

/** One request that was answered, for a log. It holds nothing of the key but its name. */
export interface Served extends Story {
  /** Such as `GET`. */
  readonly method: string
  /** Path and query string, as sent: what a terminal takes for a command may be among it. */
  readonly target: string
  /** Status of the reply. */
  readonly status: number
  /** From the headers of the request to the end of the reply. */
  readonly durationMs: number
}

/** Paths of their own beside those of the service, such as an admin API. */
export interface Beside {
  /** Whether the path is one of them. */
  owns(target: string): boolean
  /** Answers a request for one of them. */
  answer(asked: IncomingMessage): Promise<Reply>
}

/** How long a server waits for its clients, in milliseconds. */
export interface Patience {
  /**
   * For the headers of a request, then it is refused with 408.
   *
   * @default 10_000
   */
  readonly headersMs?: number
  /**
   * For the whole of a request, body included.
   *
   * @default 30_000
   */
  readonly requestMs?: number
  /**
   * For the next request on a connection, then that is closed without a word.
   *
   * @default 60_000
   */
  readonly keepAliveMs?: number
  /**
   * For replies to reach a client that has ended its side: it may be waiting for them, or gone.
   *
   * @default 5_000
   */
  readonly endedMs?: number
  /**
   * For open requests to finish when the server is closed.
   *
   * @default 800
   */
  readonly closeMs?: number
}

/** Where and what to serve. */
export interface MockServerOptions {
  /** What answers: a mock ledger. */
  readonly mock: Pick<Engine, 'answer' | 'wait'>
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
   * Lets web pages of any origin ask, and answers their `OPTIONS`.
   *
   * @default false
   */
  readonly cors?: boolean
  /** How long to wait for clients. */
  readonly patience?: Patience
  /** Paths of their own, such as `createAdmin` of `@guild-ledger/mock-server/admin`. They are not told to `onServed`. */
  readonly beside?: Beside
  /** Told of each request when its reply is out. */
  readonly onServed?: (served: Served) => void
}

/** A mock ledger behind real HTTP. With `await using` it closes by itself. */
export interface MockServer extends AsyncDisposable {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** The port it listens on. */
  readonly port: number
  /**
   * Frees the port, lets open requests finish for a moment (`patience.closeMs`) and ends all connections. Calling it
   * again does no harm.
   */
  close(): Promise<void>
}
