import type { Fetch } from '@guild-ledger/sdk'
import type { AssumptionKey, Assumptions } from '../assumptions/index.ts'

/** Further API keys of the service, each for one assumption. */
export interface ProbeKeys {
  /** A key that has expired: decides `expiredKeyStatus`. */
  readonly expired?: string | undefined
  /** A key without the scope `guild:read`: decides `missingScopeStatus`. */
  readonly unscoped?: string | undefined
  /** A key of a guild without an active subscription: decides `lapsedSubscriptionStatus`. */
  readonly lapsed?: string | undefined
  /** Another key of the same guild: with `burst`, it decides whether keys of a guild share the rate limit. */
  readonly sameGuild?: string | undefined
  /** A key of another guild: with `burst`, it decides whether the rate limit counts by address. */
  readonly otherGuild?: string | undefined
}

/** Options of `probe`. */
export interface ProbeOptions {
  /** API key of the service. It is sent in one header, and is in no result, file or message. */
  readonly apiKey: string
  /** Address of the service: https, or http on a loopback host. */
  readonly baseUrl: string | URL
  /**
   * Most requests, including those that read the ledger, retries, and those for further keys and `burst`.
   *
   * @default 150
   */
  readonly maxRequests?: number | undefined
  /**
   * Requests per second. The rest of the service's limit is left to a bot that runs meanwhile.
   *
   * @default 4
   */
  readonly requestsPerSecond?: number | undefined
  /**
   * Most transactions that are read. If the ledger has more, the probe reads only the oldest: up to 1,000, and no more
   * than half of this number. It then sends requests for that range of dates, and for users with few transactions.
   *
   * @default 5000
   */
  readonly maxTransactions?: number | undefined
  /**
   * Whether to exceed the rate limit on purpose, to see how the service counts: with 43 requests in about 7 seconds, or 86
   * in 14 if the first do not tell, and up to 55 more for each of `keys.sameGuild` and `keys.otherGuild`. Other clients of
   * the keys get errors meanwhile.
   *
   * @default false
   */
  readonly burst?: boolean | undefined
  /** Further API keys. */
  readonly keys?: ProbeKeys | undefined
  /**
   * Values that an earlier probe decided: only what tells whether they still hold is requested. See `changes`.
   *
   * @default undefined, everything is inferred
   */
  readonly expected?: Partial<Assumptions> | undefined
  /** Sends the requests. @default the global fetch */
  readonly fetch?: Fetch | undefined
  /** Ends the probe; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Called before each request. */
  readonly onProgress?: ((progress: ProbeProgress) => void) | undefined
}

/** How far a probe is. */
export interface ProbeProgress {
  /** Requests sent so far. */
  readonly sent: number
  /** Most requests. */
  readonly limit: number
  /** Transactions read so far. */
  readonly transactions: number
  /** Assumptions decided so far. */
  readonly decided: number
}

/** A value of an assumption. */
export type ProbeValue = string | number | boolean | null

/**
 * What is known of an assumption. `decided`: one value explains every response, and every other value is contradicted.
 * `consistent`: several values explain every response, and this ledger cannot tell which is right. `open`: the limit of
 * requests was reached. `unobservable`: no request can show it. `outside`: the service behaves as no value describes.
 * `skipped`: it needs another key or `burst`, a request for it failed, or the probe cannot infer it yet.
 */
export type ProbeVerdict = 'decided' | 'consistent' | 'open' | 'unobservable' | 'outside' | 'skipped'

/** A response that contradicts other values. */
export interface ProbeEvidence {
  /** The request, with pseudonyms in the place of identifiers. */
  readonly request: string
  /** Status of the response. */
  readonly status: number
}

/** What a probe found out about one assumption. */
export interface ProbeFinding {
  /** The assumption. */
  readonly key: AssumptionKey
  /** What is known of it. */
  readonly verdict: ProbeVerdict
  /**
   * The value if it is decided. If it is only `consistent`: a value that explains every response, where everything else that
   * explains them, another value or none, responds to every request in the same way.
   */
  readonly value?: ProbeValue | undefined
  /** Values that explain every response. */
  readonly candidates: readonly ProbeValue[]
  /** Behaviour of the service, if it is known but not as a value. */
  readonly observed?: string | undefined
  /** What would decide it. */
  readonly needs?: string | undefined
  /** The requests that were sent for it. */
  readonly evidence: readonly ProbeEvidence[]
}

/** A part of a response that no combination of values explains. */
export interface Unexplained {
  /** The request, with pseudonyms in the place of identifiers. */
  readonly request: string
  /** The part, such as `total` or `order`. */
  readonly aspect: string
}

/** A value that is not the expected one. */
export interface ProbeChange {
  /** The assumption. */
  readonly key: AssumptionKey
  /** The value that was expected. */
  readonly expected: ProbeValue
  /** What is known now. */
  readonly finding: ProbeFinding
}

/** Which of the expected values were checked. */
export interface ProbeExpectation {
  /** How many values were expected. */
  readonly values: number
  /** Assumptions whose expected value could not be checked: it agrees with every response, but another value may too. */
  readonly unchecked: readonly AssumptionKey[]
}

/** How a mock with the decided values compares with the service on requests that were not used before. */
export interface ProbeProof {
  /** Requests sent to both. */
  readonly requests: number
  /** Aspects of the responses that the values predict, and that were compared. */
  readonly compared: number
  /** Those that differed. */
  readonly different: number
}

/** The result of a probe. It holds no key, no identifier and no name. */
export interface ProbeReport {
  /**
   * What `createMockLedger({ assumptions })` takes: the decided values, and the `value` of those that are `consistent`. Its
   * default would contradict responses.
   */
  readonly assumptions: Partial<Assumptions>
  /** One for each assumption. */
  readonly findings: readonly ProbeFinding[]
  /** Parts of responses that nothing explains. */
  readonly unexplained: readonly Unexplained[]
  /** What differs from `expected`. */
  readonly changes: readonly ProbeChange[]
  /** Which of the `expected` values were checked; `undefined` if none were given. */
  readonly expectation?: ProbeExpectation | undefined
  /** Whether the ledger lost transactions while it was probed: then nothing is decided. */
  readonly hasShrunk: boolean
  /** How a mock with these values compares with the service. */
  readonly proof: ProbeProof
  /** What it took. */
  readonly requests: {
    /** Requests sent, retries included. */
    readonly sent: number
    /** Most requests. */
    readonly limit: number
    /** Seconds. */
    readonly seconds: number
    /** Requests that the service rejected with 429. */
    readonly rateLimited: number
  }
  /** Transactions read. */
  readonly transactions: number
  /** Whether these are only the oldest, because the ledger has more than `maxTransactions`. */
  readonly isWindow: boolean
  /** Whether the ledger has no transactions. */
  readonly isEmpty: boolean
}
