import { limits } from '@guild-ledger/sdk/contract'
import type { FaultKind } from '../fault.ts'
import { countRequests } from './format-requests.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

/** How a client behaved with one API key, as far as the log goes back. */
export interface ClientAudit {
  /** Id of the API key. */
  readonly keyId: string
  /** How many requests it sent. */
  readonly requests: number
  /** Most requests within any one second, whatever rate limit the mock had. Spec: Limits. */
  readonly mostInOneSecond: number
  /** Requests sent after a rate-limited one and before the time that its response allowed. */
  readonly beforeRetryAfter: number
  /**
   * Requests for a page that an identical request had got, complete and with status 200, less than a second before, while
   * the ledger did not change. A single one is no finding: a client may make sure once.
   */
  readonly samePageAgain: number
  /**
   * Requests that failed at least four times in a row at regular intervals. Intervals that grow, or are drawn at random,
   * are none.
   */
  readonly withoutBackOff: number
  /** The above in words, where the client did something wrong. */
  readonly findings: readonly string[]
}

const secondMs = 1000

/** A number that is the same for requests between which the ledger did not change. */
type VersionOf = (request: LoggedRequest) => number | undefined

const mostWithinSecond = (times: readonly number[]): number => {
  let first = 0
  let most = 0
  for (const [i, at] of times.entries()) {
    while ((times[first] ?? at) <= at - secondMs) first++
    most = Math.max(most, i - first + 1)
  }
  return most
}

const countEarlyRetries = (requests: readonly LoggedRequest[]): number => {
  let limitedAt = Infinity
  let retryFrom = -Infinity
  let early = 0
  for (const { at, retryAfterMs } of requests) {
    // What arrives in the same moment as the rate-limited request was sent before its response was read.
    if (at > limitedAt && at < retryFrom) early++
    if (retryAfterMs === undefined) continue
    limitedAt = at >= retryFrom ? at : Math.min(limitedAt, at)
    retryFrom = Math.max(retryFrom, at + retryAfterMs)
  }
  return early
}

const hasFailed = ({ status }: LoggedRequest) => status === null || status === 429 || status >= 500

const failureRuns = (requests: readonly LoggedRequest[]): LoggedRequest[][] => {
  const runs: LoggedRequest[][] = [[]]
  for (const request of requests) {
    if (hasFailed(request)) runs.at(-1)?.push(request)
    else runs.push([])
  }
  return runs
}

const minPauses = 3
/** Timers and responses are late now and then: pauses that differ by less are equal. */
const isRegular = (pauses: readonly number[]): boolean => {
  const longest = Math.max(...pauses)
  return longest - Math.min(...pauses) <= Math.max(10, longest / 100)
}

const slowFaults: ReadonlySet<FaultKind> = new Set(['latency', 'slow-body', 'hang'])
const isSlow = ({ faults = [] }: LoggedRequest) => faults.some((kind) => slowFaults.has(kind))
/** Whether the response was what the service had to say, if late. */
const isIntact = ({ status, faults = [] }: LoggedRequest) =>
  status === 200 && faults.every((kind) => slowFaults.has(kind))

const lacksBackOff = (run: readonly LoggedRequest[]): boolean => {
  // Where the response says when to retry, or was long in coming, the pause is not the client's to choose.
  const pauses = run.slice(1).flatMap(({ at }, i) => {
    const before = run[i]
    return before && before.retryAfterMs === undefined && !isSlow(before) ? [at - before.at] : []
  })
  return pauses.length >= minPauses && isRegular(pauses)
}

/** Requests for what the client has just received. Later on it may look again; and what changed is no duplicate. */
const countDuplicates = (identical: readonly LoggedRequest[], versionOf: VersionOf): number => {
  let received: LoggedRequest | undefined
  let duplicates = 0
  for (const request of identical) {
    const isSoon = received && request.at - received.at < secondMs
    if (isSoon && received && versionOf(received) === versionOf(request)) duplicates++
    if (isIntact(request)) received = request
  }
  return duplicates
}

const auditOfKey = (keyId: string, requests: readonly LoggedRequest[], versionOf: VersionOf): ClientAudit => {
  const identical = [
    ...Map.groupBy(requests, ({ method, path, query }) => JSON.stringify([method, path, query])).values(),
  ]
  const mostInOneSecond = mostWithinSecond(requests.map(({ at }) => at))
  const beforeRetryAfter = countEarlyRetries(requests)
  const samePageAgain = identical.reduce((sum, group) => sum + countDuplicates(group, versionOf), 0)
  const withoutBackOff = identical.filter((group) => failureRuns(group).some(lacksBackOff)).length
  const findings = [
    mostInOneSecond > limits.requestsPerSecond &&
      `${countRequests(mostInOneSecond)} within one second; the spec allows ${limits.requestsPerSecond}`,
    beforeRetryAfter > 0 && `${countRequests(beforeRetryAfter)} before the time that Retry-After allowed`,
    // A client may make sure once, as a watch does when it starts.
    samePageAgain > 1 && `${countRequests(samePageAgain)} for a page that was received less than a second before`,
    withoutBackOff > 0 &&
      `${countRequests(withoutBackOff)} repeated after failures at regular intervals, without back-off`,
  ].filter((finding) => finding !== false)
  const counts = { mostInOneSecond, beforeRetryAfter, samePageAgain, withoutBackOff }
  return { keyId, requests: requests.length, ...counts, findings }
}

export const auditOf = (log: Pick<RequestLog, 'state'>): ClientAudit[] => {
  const versions = new Map(log.state().map(({ request, version }) => [request, version]))
  return [...Map.groupBy(versions.keys(), ({ keyId }) => keyId)].flatMap(([keyId, own]) =>
    keyId === null ? [] : [auditOfKey(keyId, own, (request) => versions.get(request))],
  )
}
