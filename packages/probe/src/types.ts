import type { AssumptionKey, Assumptions } from '@guild-ledger/mock-server/assumptions'
import type { Fetch } from '@guild-ledger/sdk'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Value } from './infer/domains.ts'

/** Further API keys of the service, each for one assumption. */
export interface ProbeKeys {
  /** A key that has expired: decides `expiredKeyStatus`. */
  readonly expired?: string | undefined
  /** A key without the scope `guild:read`: decides `missingScopeStatus`. */
  readonly unscoped?: string | undefined
  /** A key of a guild without an active subscription: decides `lapsedSubscriptionStatus`. */
  readonly lapsed?: string | undefined
}

/** What an earlier probe found out. */
export interface Expectation {
  /** Values that were decided: only these can change. */
  readonly assumptions: Partial<Assumptions>
  /** Parts of responses, and kinds of input, that nothing explained. */
  readonly inexplicable?: readonly string[]
}

/** Options of `probe`. */
export interface ProbeOptions {
  /** API key of the service. It is sent in one header, and is in no result, file or message. */
  readonly apiKey: string
  /** Address of the service: https, or http on a loopback host. */
  readonly baseUrl: string | URL
  /**
   * Most requests, including those that read the ledger, retries and further keys.
   *
   * @default 150
   */
  readonly maxRequests?: number | undefined
  /**
   * Requests per second, at most 10. The rest of the service's limit is left to a bot that runs meanwhile.
   *
   * @default 4
   */
  readonly requestsPerSecond?: number | undefined
  /**
   * Most transactions to read. If the ledger has more, only the oldest are used: up to 1,000, and no more than half of this.
   *
   * @default 5000
   */
  readonly maxTransactions?: number | undefined
  /** Further API keys. */
  readonly keys?: ProbeKeys | undefined
  /** What an earlier probe found out; see `changes`. */
  readonly expected?: Expectation | undefined
  /** Sends the requests. @default the global fetch */
  readonly fetch?: Fetch | undefined
  /** Ends the probe; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Called before each request. */
  readonly onProgress?: ((progress: ProbeProgress) => void) | undefined
}

export type CheckedOptions = ProbeOptions &
  Readonly<Record<'maxRequests' | 'requestsPerSecond' | 'maxTransactions', number>>

/** How far a probe is: requests sent, of at most so many, transactions read, and assumptions decided. */
export type ProbeProgress = Readonly<Record<'sent' | 'limit' | 'transactions' | 'decided', number>>

/**
 * `decided`: one value explains every response, and some response shows it. `ambiguous`: several values explain every
 * response. `unproven`: one value is left, and no response shows it. `unexplained`: no value explains the responses. `open`:
 * the probe did not send what would show it, such as another key or a burst of requests.
 */
export type Verdict = 'decided' | 'ambiguous' | 'unproven' | 'unexplained' | 'open'

/** What a probe found out about one assumption. */
export interface Finding {
  readonly key: AssumptionKey
  readonly verdict: Verdict
  /** The value if it is decided; of one that is unexplained, the value with which most responses are explained, if one is. */
  readonly value?: Value | undefined
  /** Kinds of input to whose responses a decided value does not extend: no value explains them. */
  readonly except?: readonly string[] | undefined
  /** Values that explain every response. */
  readonly candidates: readonly Value[]
  /** What would decide it, or stands in the way: a sentence. */
  readonly needs?: string | undefined
  /** Requests whose responses no value explains, with pseudonyms. */
  readonly unexplained?: readonly string[] | undefined
  /** Requests whose responses contradict other values, with pseudonyms in the place of identifiers. */
  readonly evidence: readonly string[]
}

/** A value that is not the expected one. */
export interface Change {
  readonly key: AssumptionKey
  /** The value that was expected; `unexplained` where none explained the responses. */
  readonly expected: Value
  readonly now: Pick<Finding, 'verdict' | 'value' | 'candidates'>
}

/** The result of a probe: `probe.json`, described by `probe.schema.json`. It holds no key, no identifier and no name. */
export interface ProbeReport {
  readonly $schema: string
  readonly tool: { readonly name: string; readonly version: string }
  /** ISO 8601. */
  readonly startedAt: string
  readonly seconds: number
  /** Origin of the service. */
  readonly origin: string
  /** The values as a list, and a hash of all assumptions with the values that a mock has. */
  readonly assumptions: { readonly base: string; readonly hash: string }
  /** `reading` the ledger, for the `inference` of values, and as `verification` of the result; `rateLimited` got a 429. */
  readonly requests: Readonly<
    Record<'sent' | 'limit' | 'reading' | 'inference' | 'verification' | 'rateLimited', number>
  >
  /** Transactions read. */
  readonly transactions: number
  /** Whether these are only the oldest. */
  readonly isWindow: boolean
  /** Why nothing could be inferred; left out where something could. */
  readonly unusable?: string | undefined
  /** What `createMockLedger({ assumptions })` takes: the decided values. */
  readonly values: Partial<Assumptions>
  /** One for each assumption. */
  readonly findings: readonly Finding[]
  /** Requests to which the service responded in two ways, although the ledger was the same: nothing is decided then. */
  readonly unsteady: readonly string[]
  /** Responses that no value explains whatever is given up. */
  readonly inexplicable: readonly { readonly request: string; readonly aspect: string }[]
  /** Kinds of input whose responses no value explains, with the kinds that these requests have, too. */
  readonly kinds: readonly {
    readonly kind: string
    readonly related: readonly string[]
    readonly requests: readonly string[]
  }[]
  /**
   * Responses by what the most probable values predict: `explained` in every part, the same `inPart`, as far as it could be
   * compared, and `different`.
   */
  readonly comparison: { readonly explained: number; readonly inPart: number; readonly different: number }
  /** What differs from `expected`. */
  readonly changes: readonly Change[]
  /** Expected values that could not be checked. */
  readonly unchecked: readonly AssumptionKey[]
}

/** A report, and what only the writer of files needs. */
export interface Probed {
  readonly report: ProbeReport
  /** The transactions in an order in which they may have entered the ledger. */
  readonly entries: readonly LedgerEntry[]
}
