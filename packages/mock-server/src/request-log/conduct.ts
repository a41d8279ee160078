import type { LoggedRequest } from './request-log.ts'

/** How a client behaved with one key, as far as the log goes back. */
export interface Conduct {
  /** Which key. */
  readonly keyId: string
  /** How many requests came with it. */
  readonly requests: number
  /** Most requests that came within one second, whether or not the mock had a limit. Spec: Limits. */
  readonly mostInOneSecond: number
  /** Requests that came after a refusal and before the time it had named. */
  readonly beforeRetryAfter: number
  /** Requests for something that had been asked in the same words and answered with 200. */
  readonly samePageAgain: number
  /** Requests that failed three times or more in a row while the pauses in between did not grow. */
  readonly withoutBackOff: number
  /** The above in words, where there is something to say. */
  readonly findings: readonly string[]
}

const second = 1000
const documentedLimit = 10

const mostWithin = (times: readonly number[]): number => {
  let first = 0
  let most = 0
  for (const [i, at] of times.entries()) {
    while ((times[first] ?? at) <= at - second) first++
    most = Math.max(most, i - first + 1)
  }
  return most
}

const tooEarly = (requests: readonly LoggedRequest[]): number => {
  let refusedAt = Infinity
  let comeBackAt = -Infinity
  let early = 0
  for (const { at, retryAfterMs } of requests) {
    // What arrives in the same moment as the refusal was on its way before it was read.
    if (at > refusedAt && at < comeBackAt) early++
    if (retryAfterMs === undefined) continue
    refusedAt = Math.min(refusedAt, at)
    if (at >= comeBackAt) refusedAt = at
    comeBackAt = Math.max(comeBackAt, at + retryAfterMs)
  }
  return early
}

const groupedBy = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const failed = ({ status }: LoggedRequest) => status === 429 || status >= 500

/** Runs of failures in a row. */
const failures = (requests: readonly LoggedRequest[]): LoggedRequest[][] => {
  const runs: LoggedRequest[][] = [[]]
  for (const request of requests) {
    if (failed(request)) runs.at(-1)?.push(request)
    else runs.push([])
  }
  return runs
}

const neverPaused = (run: readonly LoggedRequest[]): boolean => {
  // Where the reply says when to come back, the pause is not the client's to choose.
  const pauses = run.slice(1).flatMap(({ at }, i) => {
    const before = run[i]
    return before && before.retryAfterMs === undefined ? [at - before.at] : []
  })
  return pauses.length >= 2 && (pauses.at(-1) ?? 0) <= (pauses[0] ?? 0)
}

const conductOf = (keyId: string, requests: readonly LoggedRequest[]): Conduct => {
  const wordings = groupedBy(requests, ({ endpoint, platformId, query }) =>
    JSON.stringify([endpoint, platformId, query]),
  )
  const alike = [...wordings.values()]
  const mostInOneSecond = mostWithin(requests.map(({ at }) => at))
  const beforeRetryAfter = tooEarly(requests)
  const samePageAgain = alike.reduce(
    (sum, same) => sum + Math.max(0, same.filter(({ status }) => status === 200).length - 1),
    0,
  )
  const withoutBackOff = alike.filter((same) => failures(same).some(neverPaused)).length
  const findings = [
    mostInOneSecond > documentedLimit &&
      `${mostInOneSecond} requests within one second; the document allows ${documentedLimit}`,
    beforeRetryAfter > 0 && `${beforeRetryAfter} requests before the time that a refusal had named`,
    samePageAgain > 0 && `${samePageAgain} requests for a page that had been answered before`,
    withoutBackOff > 0 && `${withoutBackOff} requests repeated after failures without longer pauses`,
  ].filter((finding) => finding !== false)
  return {
    keyId,
    requests: requests.length,
    mostInOneSecond,
    beforeRetryAfter,
    samePageAgain,
    withoutBackOff,
    findings,
  }
}

/** How clients behaved, one report for each key that was used. */
export const conductIn = (requests: readonly LoggedRequest[]): Conduct[] =>
  [...groupedBy(requests, ({ keyId }) => keyId)].flatMap(([keyId, own]) =>
    keyId === null ? [] : [conductOf(keyId, own)],
  )
