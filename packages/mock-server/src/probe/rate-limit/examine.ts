import type { RawResponse } from '../model/observe.ts'
import { limit } from './counting.ts'
import { explanationsOf, isSharedWith, type Hypothesis, type KeyName } from './hypotheses.ts'
import { atOnce, keyRounds, ownRounds, sizeOf, type Round } from './plan.ts'
import { areClear, createRounds, isRejected, tracesOf, type BurstClock, type Sent } from './send-round.ts'

/** What requests above the rate limit showed. */
export interface Examined {
  /** The rejected responses. */
  readonly rejected: readonly RawResponse[]
  /** Whether they came as from a limit that is used up twice, and not as from a service that is overloaded. */
  readonly isRegular: boolean
  /** Whether requests at the same time were always accepted up to the limit of the spec. */
  readonly hasLimit: boolean
  /** What explains the responses to the key that is probed, if nobody else uses the limit. */
  readonly explanations: readonly Hypothesis[]
  /** What explains the accepted requests, whoever else uses the limit. */
  readonly possible: readonly Hypothesis[]
  /** Whether `explanations` are enough to decide. */
  readonly isSettled: boolean
  /** What explains the responses to all keys. */
  readonly scopes: readonly Hypothesis[]
  /** Why there is no more to see of the key that is probed. */
  readonly lacking?: string
  /** Why there is no more to see of the others. */
  readonly scopeLacking?: string
}

/** What an examination needs. */
export interface ExamineOptions {
  readonly send: (key: KeyName) => Promise<RawResponse | undefined>
  readonly clock: BurstClock
  readonly signal: AbortSignal | undefined
  /** Further keys that can be used. */
  readonly keys: readonly KeyName[]
  /** Requests that may still be sent. */
  readonly remaining: () => number
}

// The pauses are about as long. A service that says more wants fewer requests.
const longestWaitSeconds = 2

const wantsPause = ({ response }: Sent): boolean => Number(response?.headers['retry-after'] ?? 0) > longestWaitSeconds

/**
 * Whether one way of counting is left. By chance, other programs can make a way that accepts more requests look like one
 * that accepts fewer, so such a way needs two more rounds.
 */
const areEnough = (explanations: readonly Hypothesis[], rounds: number): boolean => {
  const algorithms = new Set(explanations.map(({ algorithm }) => algorithm))
  const counting = new Set(explanations.map(({ countsRejected }) => countsRejected))
  const isOne = algorithms.size === 1 && (counting.size === 1 || algorithms.has('fixed-window'))
  return isOne && (rounds > 2 || !counting.has(true))
}

/** The responses of each round. */
const responsesByRound = (sent: readonly Sent[]) =>
  [...new Set(sent.map(({ round }) => round))].map((round) => ({
    isTogether: round.steps[0]?.count === atOnce,
    responses: sent.filter((one) => one.round === round).map(({ response }) => response),
  }))

const acceptedAtOnce = (responses: readonly (RawResponse | undefined)[]): number =>
  responses.slice(0, atOnce).filter((response) => !isRejected(response)).length

/** Whether about as many requests were accepted one after the other as at once, and few after that. */
const isSteady = (sent: readonly Sent[]): boolean => {
  const [together, inSeries] = responsesByRound(sent)
  if (!together || !inSeries) return false
  const accepted = acceptedAtOnce(together.responses)
  const first = inSeries.responses.findIndex(isRejected)
  return accepted > 0 && accepted < atOnce && first >= accepted && first <= accepted * 1.4
}

const hasLimit = (sent: readonly Sent[]): boolean =>
  responsesByRound(sent)
    .filter(({ isTogether }) => isTogether)
    .every(({ responses }) => acceptedAtOnce(responses) === limit)

/** Why nothing can be concluded from requests. */
const obstacleIn = (sent: readonly Sent[]): string | undefined => {
  if (sent.some(wantsPause)) return 'a service that does not ask for more than 2 s without requests'
  if (!areClear(sent)) return 'another attempt: a request of `burst` failed'
  return undefined
}

/** Exceeds the rate limit to see how the service counts: with one key, then with further ones. */
export const examine = async ({ send, clock, signal, keys, remaining }: ExamineOptions): Promise<Examined> => {
  const sendRound = createRounds(send, clock, signal)

  /** Sends rounds. Returns why nothing can be concluded, or why they were not sent. */
  const sendAll = async (rounds: readonly Round[], into: Sent[]): Promise<string | undefined> => {
    if (remaining() < sizeOf(rounds)) return `${sizeOf(rounds)} requests more for \`burst\`: raise \`maxRequests\``
    for (const round of rounds) {
      into.push(...(await sendRound(round)))
      const obstacle = obstacleIn(into)
      if (obstacle !== undefined) return obstacle
    }
    return undefined
  }

  const sent: Sent[] = []
  let explanations: readonly Hypothesis[] = []
  let isSettled = false
  let lacking: string | undefined
  for (const [index, rounds] of ownRounds.entries()) {
    lacking = await sendAll(rounds, sent)
    if (lacking !== undefined) break
    if (!sent.some(({ response }) => isRejected(response))) {
      lacking = 'a lower rate limit: the service accepted every request of `burst`'
      break
    }
    explanations = explanationsOf(tracesOf(sent), false)
    isSettled = areEnough(explanations, (index + 1) * rounds.length)
    if (isSettled || explanations.length === 0) break
  }

  const all = [...sent]
  let scopes = explanations
  let scopeLacking: string | undefined
  for (const key of isSettled ? keys : []) {
    for (const rounds of keyRounds(key)) {
      // By chance, requests of other programs can make keys look as if they shared a limit, so that needs every round.
      const isShared = new Set(scopes.map(({ scope }) => isSharedWith(key, scope)))
      const isKnown = isShared.size < 2 && !isShared.has(true)
      if (isKnown || scopeLacking !== undefined) continue
      scopeLacking = await sendAll(rounds, all)
      if (scopeLacking === undefined) scopes = explanationsOf(tracesOf(all), false)
    }
  }
  const isClear = sent.length > 0 && areClear(sent)
  return {
    rejected: sent.flatMap(({ response }) => (response && isRejected(response) ? [response] : [])),
    // What explains half of the rounds may be an accident.
    isRegular: isClear && ((explanations.length > 0 && lacking === undefined) || isSteady(sent)),
    hasLimit: hasLimit(sent),
    explanations,
    possible: isClear ? explanationsOf(tracesOf(sent), true) : [],
    isSettled,
    scopes,
    ...(lacking !== undefined && { lacking }),
    ...(scopeLacking !== undefined && { scopeLacking }),
  }
}
